import { rowsOf } from '../markdown.ts'

/** The pack for chemistry and carbon equivalent on certificates. Columns: values, expected tags, source. */
export const chemistry = rowsOf(`
  | S275J0 Plate 160  C=0.23                     | above-product-analysis | note 3 |
  | S355J2C+N Plate 12 C=0.22 analysis=ladle     | above-ladle-analysis   | letter C: 0.22 where cold roll forming was ordered |
  | S355J2C+N Plate 12 C=0.23 analysis=ladle     | above-product-analysis | letter C |
  | S355J2C+N Plate 17 C=0.21 analysis=ladle     | above-product-analysis | letter C holds up to 16 mm |
  | S355J2+C Bar 20   C=0.60                     | chemistry-not-checked  | EN 10277: cold drawn |
  | S355J2 Bar 20     C=0.60 deliveryCondition=C | chemistry-not-checked  | EN 10277, stated beside the grade |
  | S355J2 Plate 20   Si=0.60                    | above-ladle-analysis   | 1.2 |
  | S355J2 Plate 20   Si=0.61                    | above-product-analysis | 1.2 |
  | S275JR Plate 20   Mn=1.61                    | above-product-analysis | 1.2 |
  | S355J2 Section 20 P=0.030 analysis=ladle     | –                      | long products |
  | S355J2 Section 20 P=0.031 analysis=ladle     | above-product-analysis | long products |
  | S355K2 Plate 20   S=0.036                    | above-product-analysis | 1.2 |
  | S275JR Plate 20   S=0.060 Ca=0.002           | above-ladle-analysis   | machinability: 0.015 more with Ca 0.0020 |
  | S275JR Plate 20   S=0.061 Ca=0.002           | above-product-analysis | machinability |
  | S355JR Plate 20   N=0.015 Al=0.020           | –                      | aluminium binds it |
  | S355JR Plate 20   N=0.015 Al=0.019           | above-ladle-analysis   | below 0.020 total |
  | S355JR Plate 20   N=0.015 Al=0.005 solubleAluminium=0.015 | –         | 0.015 soluble |
  | S275JR Plate 20   Cu=0.60                    | above-ladle-analysis   | 1.2 |
  | S275JR Plate 20   Cu=1.5                     | above-product-analysis | never only a flag |
  | S355J2 Plate 20 B=0.0007 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 B=0.0008 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Cr=0.30 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Mo=0.08 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Nb=0.05 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Nb=0.06 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Ni=0.29 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Ni=0.30 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Ti=0.04 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Ti=0.05 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 V=0.10 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Al=0.29 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Al=0.30 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Bi=0.09 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Bi=0.10 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Co=0.29 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Co=0.30 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Pb=0.39 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Pb=0.40 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Se=0.09 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Se=0.10 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Te=0.09 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Te=0.10 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 W=0.29 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 W=0.30 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Zr=0.04 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Zr=0.05 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Al=0.0194 | above-ladle-analysis | fully killed: too little binds nitrogen |
  | S355J2 Plate 20 Al=0.0195 | – | half up: 0.020 |
  | S355J2 Plate 20 Al=0.003 Nb=0.015 | – | niobium binds it |
  | S355J2 Plate 20 Al=0.003 Nb=0.014 V=0.019 Ti=0.019 | above-ladle-analysis | each of them is too low |
  | S355J2 Plate 20 Al=0.003 V=0.02 | – | vanadium binds it |
  | S355J2 Plate 20 Al=0.003 Ti=0.02 | – | titanium binds it |
  | S355J2 Plate 20 Al=0.003 solubleAluminium=0.015 | – | soluble aluminium |
  | S355J2 Plate 20 Al=? solubleAluminium=0.014 | above-ladle-analysis | soluble aluminium |
  | S355J2 Plate 20 Al=? | – | aluminium is not stated |
  | S460J0 Bar 20 Al=0.003 | above-ladle-analysis | S460 is fully killed |
  | S460J2 Bar 20     Mn=1.71                    | above-ladle-analysis   | one source: flags |
  | S460J2 Bar 20     Nb=0.06                    | above-ladle-analysis   | microalloying |
  | S460J2 Bar 20     V=0.14                     | above-ladle-analysis   | microalloying |
  | S460J2 Bar 20     Ti=0.06                    | above-ladle-analysis   | microalloying |
  | S355J2 Bar 200    C=0.20 Mn=1.6 Cr=0.2 Mo=0.07 V=0.08 Ni=0 Cu=0 | –   | long: 0.54 from 150 to 250 mm |
  | S235JR Plate 20   Cu=? statedCev=0.38        | carbon-equivalent-too-high not-judged | above the raised limit |
  | S235JR Plate 20   V=? Mo=?                   | not-judged             | a 3.1 shows all seven |
  | S355J2G3 Plate 20                            | chemistry-not-checked  | a withdrawn name |
  | S355J2H HollowSection 8 standard=EN_10210-1  | chemistry-not-checked  | hollow sections |
  | S355J2_(1.0045) Plate 20 C=0.24              | above-product-analysis chemistry-not-checked | name and number differ: each must hold |
  | S355J2 Plate 20 deliveryCondition=NR P=0.20  | above-product-analysis chemistry-not-checked | the limits are applied all the same |
  | S355J2/S355NL Plate 20 standard=EN_10025-2_/_EN_10025-3 | chemistry-not-checked | no contradiction, but nobody has checked S355NL |
  | 1.4301 Plate 20 Cr=18 Ni=8 standard=EN_10088-2 | chemistry-not-checked | stainless: no figures at hand |
  | S355J2 Plate 20 C=0.22 Mn=1.70 Cr=0.05 analysis=product | carbon-equivalent-to-be-judged | CEV 0.52 of the product: 0.47, and 0.05 more |
  | S275JR Plate 20 S=0.055 Ca=0.0019            | above-product-analysis | treated from 0.0020 of calcium on |
  | S275JR Plate 20 S=0.055 Ca=0.1               | above-ladle-analysis   | calcium: house rule |
  | S275JR Plate 20 S=0.055 Ca=0.11              | above-product-analysis | calcium: house rule |
  | S235JR Plate 20 C=0.15 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0.25 | carbon-equivalent-to-be-judged | 0.37: copper from 0.25 on |
  | S235JR Plate 20 C=0.14 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0.40 | carbon-equivalent-to-be-judged | 0.37: copper up to 0.40 |
  | S235JR Plate 400.5                           | chemistry-not-checked  | outside the tables |
  | S275JR Plate 400.5                           | chemistry-not-checked  | outside the tables |
  | S355J2 Plate 400                             | –                      | the last thickness of the tables |
  | S355J2 Section 100 C=0.30                    | above-product-analysis | by agreement above 100 mm only |
  | S355J2 Section 100.5 C=0.30                  | chemistry-not-checked  | by agreement above 100 mm |
  | S355J2 Other 120 C=0.30                      | above-ladle-analysis   | it may be a section |
  | S355J2 Coil 20 P=0.036                       | above-product-analysis | a coil is no long product |
  | S355J2 Tube 20                               | chemistry-not-checked  | no form of EN 10025-2 |
  | S355J2 – 20 P=0.040                          | above-ladle-analysis   | it may be a long product |
  | S355JR Plate 20 N=0.018 Al=0.005 Ti=0.012    | above-ladle-analysis   | Ti binds 0.0035 % |
  | S355JR Plate 20 N=0.018 Al=0.005 Nb=0.023    | above-product-analysis | Nb binds 0.0035 %: 0.0145 are left |
  | S355JR Plate 20 N=0.015 Al=0.005 V=?         | above-product-analysis not-judged | no binder is named |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.57           | carbon-equivalent-to-be-judged not-judged | without V 0.4713 |
  | S355J2 Plate 20 V=? Cr=? Mo=? Ni=? Cu=? C=0.20 Mn=1.44 | not-judged   | C + Mn/6 alone is no CEV |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.6 statedCev=0.44 | carbon-equivalent-too-high carbon-equivalent-to-be-judged | the analysis gives 0.48 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.3 statedCev=0.405 | –                  | without V 0.425 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.3 statedCev=0.404 | carbon-equivalent-to-be-judged | without V 0.425: it cannot be less |
  | S355J2 Bar 200 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.475 | above-ladle-analysis | computed 0.495 |
  | S355J2 Bar 200 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.515 | above-ladle-analysis | computed 0.495 |
  | S355J2 Plate 20 C=0.2 Mn=1.2 statedCev=0.48  | carbon-equivalent-to-be-judged | the computed one counts: 0.41 |
  | S235JR Plate 20 C=0.17 Mn=1.4 inspectionDocument=2.2 | carbon-equivalent-too-high | a 2.2 that shows all seven |
  | S235JR Bar 20 C=0.16 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0 | carbon-equivalent-too-high | only S355 has a row for long products |
  | S235JR Plate 20 chemistry=? statedCev=0.37   | carbon-equivalent-to-be-judged not-judged | copper may have been ordered |
  | S355JR Plate 401 N=0.03 Al=0.005             | chemistry-not-checked  | outside the tables |
  | S460J2 Bar 151 V=0.2                         | chemistry-not-checked  | outside the tables |
  | S460J2 Bar 20 Nb=0.054 V=0.134 Ti=0.054      | –                      | two decimals |
  | S355J2 HollowSection 20                      | chemistry-not-checked  | no form of EN 10025-2 |
  | S460J2 Plate 20                              | chemistry-not-checked  | S460 is a long product |
  | S275JR Plate 20 Cu=? V=? inspectionDocument=2.2 | –                      | a 2.2 of S275 need not show copper |
  | S355J2 Plate 20 Cu=? Ni=3 C=0.10 Mn=0.9      | above-ladle-analysis carbon-equivalent-to-be-judged not-judged | without Cu 0.46 |
  | S355J2 Plate 20   C=0.24 standard=EN_10025:2004      | above-product-analysis | plain EN 10025 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.42           | not-judged             | without V 0.45 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.5 analysis=product | carbon-equivalent-to-be-judged not-judged | without V 0.46 |`)
