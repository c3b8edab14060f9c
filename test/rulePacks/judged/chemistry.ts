import { rowsOf } from '../markdown.ts'

/** The pack for chemistry and carbon equivalent on certificates. Columns: values, expected tags, source. */
export const chemistry = rowsOf(`
  | S235JR Plate 16   C=0.194                    | above-ladle-analysis   | C product 0.19 (1.2), ladle 0.17 (1.1) |
  | S235JR Plate 16   C=0.174                    | –                      | 0.17 at two decimals |
  | S235JR Plate 16   C=0.175                    | above-ladle-analysis   | half up: 0.18 |
  | S235JR Plate 16   C=0.195                    | above-product-analysis | half up: 0.20 |
  | S275J0 Plate 160  C=0.22                     | above-ladle-analysis   | note 3: laxest 0.22 above 150 mm |
  | S275J0 Plate 160  C=0.23                     | above-product-analysis | note 3 |
  | S355J2 Plate 35   C=0.22                     | –                      | note 2 |
  | S355J2 Plate 35   C=0.24                     | above-ladle-analysis   | note 4: laxest 0.24 above 30 mm |
  | S355J2 Plate 35   C=0.25                     | above-product-analysis | note 4 |
  | S355J2 Plate 35   C=0.60                     | above-product-analysis carbon-equivalent-too-high | never only a flag |
  | S355J2 Section 120 C=0.30                    | chemistry-not-checked  | by agreement above 100 mm |
  | S355J2C+N Plate 12 C=0.22 analysis=ladle     | above-ladle-analysis   | letter C: 0.22 where cold roll forming was ordered |
  | S355J2C+N Plate 12 C=0.23 analysis=ladle     | above-product-analysis | letter C |
  | S355J2C+N Plate 17 C=0.21 analysis=ladle     | above-product-analysis | letter C holds up to 16 mm |
  | S355J2 Plate 12   C=0.21 analysis=ladle      | above-product-analysis | a stated ladle analysis blocks |
  | S355J2 Plate 12   C=0.23 analysis=product    | –                      | a stated product analysis |
  | S355J2 Plate 12   C=0.24 analysis=product    | above-product-analysis | a stated product analysis |
  | S355J2 – –        C=0.24                     | above-ladle-analysis not-judged | no thickness: the laxest band |
  | S355J2 – –        C=0.25                     | above-product-analysis not-judged | no thickness: the laxest band |
  | S355J2+C Bar 20   C=0.60                     | chemistry-not-checked  | EN 10277: cold drawn |
  | S355J2 Bar 20     C=0.60 deliveryCondition=C | chemistry-not-checked  | EN 10277, stated beside the grade |
  | S355J2 Plate 20   Si=0.60                    | above-ladle-analysis   | 1.2 |
  | S355J2 Plate 20   Si=0.61                    | above-product-analysis | 1.2 |
  | S235JR Plate 20   Si=0.90                    | –                      | no limit |
  | S235JR Plate 20   Mn=1.404                   | –                      | 1.40 has two decimals |
  | S235JR Plate 20   Mn=1.50                    | above-ladle-analysis carbon-equivalent-too-high | 1.2; CEV 0.36 |
  | S275JR Plate 20   Mn=1.60                    | above-ladle-analysis   | 1.2 |
  | S275JR Plate 20   Mn=1.61                    | above-product-analysis | 1.2 |
  | S235JR Plate 20   P=0.0454                   | above-ladle-analysis   | 1.2, disputed: the laxest 0.045 |
  | S235JR Plate 20   P=0.046                    | above-product-analysis | 1.2, the laxest |
  | S235JR Plate 20   P=0.20                     | above-product-analysis | never only a flag |
  | S235JR Section 20 P=0.040                    | –                      | long products: 0.005 more |
  | S235JR Section 20 P=0.050                    | above-ladle-analysis   | long products |
  | S235JR Section 20 P=0.051                    | above-product-analysis | long products |
  | S355J2 Section 20 P=0.030 analysis=ladle     | –                      | long products |
  | S355J2 Section 20 P=0.031 analysis=ladle     | above-product-analysis | long products |
  | S355K2 Plate 20   S=0.035                    | above-ladle-analysis   | 1.2 |
  | S355K2 Plate 20   S=0.036                    | above-product-analysis | 1.2 |
  | S275JR Plate 20   S=0.060 Ca=0.002           | above-ladle-analysis   | machinability: 0.015 more with Ca 0.0020 |
  | S275JR Plate 20   S=0.061 Ca=0.002           | above-product-analysis | machinability |
  | S275JR Plate 20   S=0.055 Ca=18              | above-product-analysis | 18 ppm of calcium, as it was written, shows no treatment |
  | S355JR Plate 20   N=0.014 Al=0.005           | above-ladle-analysis   | 1.2 |
  | S355JR Plate 20   N=0.015 Al=0.005           | above-product-analysis | 1.2 |
  | S355JR Plate 20   N=0.015 Al=0.020           | –                      | aluminium binds it |
  | S355JR Plate 20   N=0.015 Al=0.019           | above-ladle-analysis   | below 0.020 total |
  | S355JR Plate 20   N=0.015 Al=0.005 solubleAluminium=0.015 | –         | 0.015 soluble |
  | S355JR Plate 20   N=0.015 Al=0.005 Ti=0.02   | above-ladle-analysis   | another binder is named |
  | S355J2 Plate 20   N=0.030                    | –                      | no limit for J2 |
  | S275JR Plate 20   Cu=0.60                    | above-ladle-analysis   | 1.2 |
  | S275JR Plate 20   Cu=0.61                    | above-product-analysis | 1.2: 0.40 of one card is an outlier |
  | S275JR Plate 20   Cu=1.5                     | above-product-analysis | never only a flag |
  | S355J2 Plate 20 B=0.0007 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 B=0.0008 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Cr=0.29 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Cr=0.30 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Mo=0.07 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Mo=0.08 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Nb=0.05 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Nb=0.06 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Ni=0.29 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Ni=0.30 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Ti=0.04 | – | EN 10020: unalloyed |
  | S355J2 Plate 20 Ti=0.05 | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 V=0.09 | – | EN 10020: unalloyed |
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
  | S460J2 Bar 20 Nb=0.05 V=0.12 Ti=0.05 | – | S460 may be microalloyed |
  | S355J2 Plate 20 Al=0.0194 | above-ladle-analysis | fully killed: too little binds nitrogen |
  | S355J2 Plate 20 Al=0.0195 | – | half up: 0.020 |
  | S355J2 Plate 20 Al=0.003 Nb=0.015 | – | niobium binds it |
  | S355J2 Plate 20 Al=0.003 Nb=0.014 V=0.019 Ti=0.019 | above-ladle-analysis | each of them is too low |
  | S355J2 Plate 20 Al=0.003 V=0.02 | – | vanadium binds it |
  | S355J2 Plate 20 Al=0.003 Ti=0.02 | – | titanium binds it |
  | S355J2 Plate 20 Al=0.003 solubleAluminium=0.015 | – | soluble aluminium |
  | S355J2 Plate 20 Al=? solubleAluminium=0.014 | above-ladle-analysis | soluble aluminium |
  | S355J2 Plate 20 Al=? | – | aluminium is not stated |
  | S355J2 Plate 20 Al=0.003 analysis=product | – | no ladle analysis |
  | S355J0 Plate 20 Al=0.003 | – | not rimming is enough |
  | S460J0 Bar 20 Al=0.003 | above-ladle-analysis | S460 is fully killed |
  | S460J2 Bar 20     Mn=1.71                    | above-ladle-analysis   | one source: flags |
  | S460J2 Bar 20     P=0.20                     | above-product-analysis | above every row of the standard |
  | S460J2 Bar 20     Nb=0.06                    | above-ladle-analysis   | microalloying |
  | S460J2 Bar 20     V=0.14                     | above-ladle-analysis   | microalloying |
  | S460J2 Bar 20     Ti=0.06                    | above-ladle-analysis   | microalloying |
  | S235JR Plate 20   C=0.15 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0.006 | –       | CEV 0.3504 against 0.35 |
  | S235JR Plate 20   C=0.16 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0     | carbon-equivalent-too-high | CEV 0.36 |
  | S235JR Plate 20   C=0.15 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0.3   | carbon-equivalent-to-be-judged | 0.37: copper may have been ordered |
  | S275JR Plate 20   C=0.20 Mn=1.32 Cr=0 Mo=0 V=0 Ni=0 Cu=0    | carbon-equivalent-to-be-judged | CEV 0.42: raised by 0.02 |
  | S355J2 Plate 35   C=0.20 Mn=1.6 Cr=0.1 Mo=0 V=0 Ni=0 Cu=0   | carbon-equivalent-to-be-judged | 30–40 mm: 0.47, raised 0.49 |
  | S355J2 Bar 200    C=0.20 Mn=1.6 Cr=0.2 Mo=0.07 V=0.08 Ni=0 Cu=0 | –   | long: 0.54 from 150 to 250 mm |
  | S355J2 Plate 20   C=0.2 Cr=? statedCev=0.45  | –                      | an element is missing: as stated |
  | S355J2 Plate 20   C=0.2 Cr=? statedCev=0.47  | carbon-equivalent-to-be-judged | as stated |
  | S355J2 Plate 20   C=0.2 Cr=? statedCev=0.48  | carbon-equivalent-too-high | as stated |
  | S355J2 Plate 20   chemistry=? statedCev=0.47 | carbon-equivalent-to-be-judged not-judged | no analysis at all: as stated |
  | S355J2 Plate 20   chemistry=? statedCev=0.48 | carbon-equivalent-too-high not-judged | as stated |
  | S235JR Plate 20   Cu=? statedCev=0.37        | carbon-equivalent-to-be-judged not-judged | copper may have been ordered |
  | S235JR Plate 20   Cu=? statedCev=0.38        | carbon-equivalent-too-high not-judged | above the raised limit |
  | S235JR Plate 20   Cu=0.2 V=? statedCev=0.36  | carbon-equivalent-too-high | ordered copper is 0.25 at least |
  | S355J2 Plate 20   C=0.23 Mn=1.7 analysis=product statedCev=0.45 | – | 1.3: the CEV is of the ladle |
  | S355J2 Plate 20   C=0.2 Cr=?                 | not-judged             | all seven elements are needed |
  | S355J2 Plate 20   C=0.2 Mn=1.2 statedCev=0.42 | –                     | computed 0.41, stated 0.42 |
  | S355J2 Plate 20   C=0.2 Mn=1.2 statedCev=0.45 | carbon-equivalent-to-be-judged | differs by more than 0.02 |
  | S235JR Plate 20   V=? Mo=? inspectionDocument=2.2 | –                 | a 2.2 need not show all seven |
  | S235JR Plate 20   V=? Mo=?                   | not-judged             | a 3.1 shows all seven |
  | S355J2 Plate 401  C=0.60                     | chemistry-not-checked  | outside the tables |
  | S355JO Plate 20   C=0.24                     | above-product-analysis | the letter O for the figure 0 |
  | S355J2N Plate 20  C=0.24                     | above-product-analysis | +N without the sign |
  | 1.0577+N Plate 20 C=0.24                     | above-product-analysis | by its number |
  | S355J2_Z25+N Plate 20 C=0.24                 | above-product-analysis | with its Z quality |
  | S235JR/S355J2 Plate 20 Mn=1.55               | above-product-analysis carbon-equivalent-too-high | a dual grade holds by each name |
  | S355J2/S355NL Plate 20                       | chemistry-not-checked  | nobody has checked S355NL |
  | S355J2G3 Plate 20                            | chemistry-not-checked  | a withdrawn name |
  | S355 Plate 20                                | chemistry-not-checked  | no quality |
  | P265GH Plate 20                              | chemistry-not-checked  | cannot be read |
  | S355J2H HollowSection 8 standard=EN_10210-1  | chemistry-not-checked  | hollow sections |
  | S355J2 Plate 20   C=0.24 standard=EN_10025:2004      | above-product-analysis | plain EN 10025 |
  | S355J2 Plate 20   C=0.24 standard=DIN_EN_10025-2:2005-04 | above-product-analysis | national |
  | S355J2 Plate 20   C=0.24 standard=BS_EN_10025-2      | above-product-analysis | national |
  | S355J2 Plate 20   C=0.24 standard=NF_EN_10025-2:2019 | above-product-analysis | national |
  | S355J2 Plate 20   C=0.24 standard=ASTM_A572  | chemistry-not-checked  | a standard that the reader does not know |
  | S355J2+AR Plate 20 deliveryCondition=+N      | chemistry-not-checked  | two delivery conditions contradict each other |
  | S355J2+AR Plate 20 deliveryCondition=+N P=0.20 | above-product-analysis chemistry-not-checked | the limits hold in either |
  | S355J2+AR+N Plate 20                         | chemistry-not-checked  | the name contradicts itself |
  | S355J2+Z15 Plate 20 zQuality=Z25             | chemistry-not-checked  | two Z qualities |
  | S355J2 Plate 20 standard=EN_10025-3          | chemistry-not-checked  | S355J2 is not of part 3 |
  | S355J2_(1.0045) Plate 20 C=0.24              | above-product-analysis chemistry-not-checked | name and number differ: each must hold |
  | S355J2 Plate 20 deliveryCondition=NR         | chemistry-not-checked  | nobody has checked NR |
  | S355J2 Plate 20 deliveryCondition=NR P=0.20  | above-product-analysis chemistry-not-checked | the limits are applied all the same |
  | S355J2/S355NL Plate 20 standard=EN_10025-2_/_EN_10025-3 | chemistry-not-checked | no contradiction, but nobody has checked S355NL |
  | 1.4301 Plate 20 Cr=18 Ni=8 standard=EN_10088-2 | chemistry-not-checked | stainless: no figures at hand |
  | S235JR Plate 20 Cu=? V=? Mo=? inspectionDocument=2.2 | –              | a 2.2 need not show copper, one of the seven |
  | S235JR Plate 20 Cu=? inspectionDocument=3.1  | not-judged             | a 3.1 shows it |
  | S355J2 Plate 20 C=0.22 Mn=1.70 Cr=0.05 analysis=product | carbon-equivalent-to-be-judged | CEV 0.52 of the product: 0.47, and 0.05 more |
  | S355J2 Plate 20 C=0.22 Mn=1.70 Cr=0.10 analysis=product | carbon-equivalent-too-high | CEV 0.53 of the product |
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
  | S355J2 – 120 C=0.30                          | above-ladle-analysis   | it may be a section |
  | S275JR Plate 20 V=? Mo=? inspectionDocument=2.2 | –                      | a 2.2 of S275 need not show all seven |
  | S355JR Plate 20 Cu=? V=? inspectionDocument=2.2 | not-judged             | S355 |
  | S355J2 Coil 20 P=0.036                       | above-product-analysis | a coil is no long product |
  | S355J2 Tube 20                               | chemistry-not-checked  | no form of EN 10025-2 |
  | S355J2 – 20 P=0.040                          | above-ladle-analysis   | it may be a long product |
  | S355J2 – 20 P=0.041                          | above-product-analysis | not even as a long product |
  | S355JRC Plate 12 C=0.24 analysis=ladle       | –                      | letter C changes nothing for JR |
  | S355J2C Plate 12 C=0.23                      | above-ladle-analysis   | letter C: a product analysis may have 0.23 |
  | S355J2 – – C=0.22 Mn=0.5                     | not-judged             | no thickness: the laxest band |
  | S355J2 – – C=0.2 Mn=1.6 Cr=0.1 Mo=0 V=0 Ni=0 Cu=0 | not-judged             | no thickness: CEV 0.49 of the laxest band |
  | S355JR Plate 20 N=0.015 Al=0.005 Ti=0 Nb=0 B=0 Zr=0 | above-product-analysis | 0 % binds nothing |
  | S355JR Plate 20 N=0.015 Al=0.005 Nb=0.02     | above-ladle-analysis   | another binder is named |
  | S355JR Plate 20 N=0.015 Al=0.005 V=0.02      | above-ladle-analysis   | another binder is named |
  | S355JR Plate 20 N=0.015 Al=0.005 B=0.002     | above-ladle-analysis   | another binder is named |
  | S355JR Plate 20 N=0.015 Al=0.005 Zr=0.02     | above-ladle-analysis   | another binder is named |
  | S355JR Plate 20 N=0.015 Al=0.005 V=0.001     | above-product-analysis | a trace of vanadium binds 0.0003 % |
  | S355JR Plate 20 N=0.018 Al=0.005 V=0.012     | above-product-analysis | V binds 0.0033 %: 0.0147 are left |
  | S355JR Plate 20 N=0.018 Al=0.005 V=0.013     | above-ladle-analysis   | V binds 0.0036 %: 0.0144 are left |
  | S355JR Plate 20 N=0.018 Al=0.005 Ti=0.012    | above-ladle-analysis   | Ti binds 0.0035 % |
  | S355JR Plate 20 N=0.018 Al=0.005 Nb=0.023    | above-product-analysis | Nb binds 0.0035 %: 0.0145 are left |
  | S355JR Plate 20 N=0.018 Al=0.005 Nb=0.024    | above-ladle-analysis   | Nb binds 0.0036 % |
  | S355JR Plate 20 N=0.015 Al=0.005 V=?         | above-product-analysis not-judged | no binder is named |
  | S355JR Plate 20 N=0.015 Al=? solubleAluminium=0.015 | –                      | 0.015 soluble |
  | S355JR Plate 20 N=0.015 Al=0.0196            | –                      | 0.020 at three decimals |
  | S355J2 Plate 20 C=? statedCev=0.48           | carbon-equivalent-too-high not-judged | as stated |
  | S355J2 Plate 20 Mn=? statedCev=0.48          | carbon-equivalent-too-high not-judged | as stated |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.5            | carbon-equivalent-to-be-judged not-judged | C + Mn/6 + … without V is 0.46 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.6            | carbon-equivalent-too-high not-judged | without V 0.48 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.57           | carbon-equivalent-to-be-judged not-judged | without V 0.4713 |
  | S355J2 Plate 20 V=? Cr=? Mo=? Ni=? Cu=? C=0.20 Mn=1.44 | not-judged   | C + Mn/6 alone is no CEV |
  | S235JR Plate 20 C=0.17 Mn=1.4 V=? inspectionDocument=2.2 | carbon-equivalent-too-high | without V 0.41 |
  | S235JR Plate 20 C=0.15 Mn=1.1 V=? Cr=? Mo=? Ni=? Cu=? inspectionDocument=2.2 | – | a 2.2 need not show them: 0.33 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.6 statedCev=0.44 | carbon-equivalent-too-high carbon-equivalent-to-be-judged | the analysis gives 0.48 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.3 statedCev=0.405 | –                  | without V 0.425 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.3 statedCev=0.404 | carbon-equivalent-to-be-judged | without V 0.425: it cannot be less |
  | S355J2 Plate 20 Mo=? statedCev=0.48          | carbon-equivalent-too-high | as stated |
  | S355J2 Plate 20 Ni=? statedCev=0.48          | carbon-equivalent-too-high | as stated |
  | S355J2 Bar 200 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.475 | above-ladle-analysis | computed 0.495 |
  | S355J2 Bar 200 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.515 | above-ladle-analysis | computed 0.495 |
  | S355J2 Plate 20 C=0.2 Mn=1.2 statedCev=0.48  | carbon-equivalent-to-be-judged | the computed one counts: 0.41 |
  | S235JR Plate 20 C=0.17 Mn=1.4 inspectionDocument=2.2 | carbon-equivalent-too-high | a 2.2 that shows all seven |
  | S235JR Plate 20 V=? statedCev=0.38 inspectionDocument=2.2 | carbon-equivalent-too-high | a 2.2 with a stated one |
  | S235JR Plate 20 Cu=0.61 V=? Mo=? inspectionDocument=2.2 | above-product-analysis | copper that a 2.2 shows |
  | S235JR Bar 20 C=0.16 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0 | carbon-equivalent-too-high | only S355 has a row for long products |
  | S235JR Plate 20 chemistry=? statedCev=0.37   | carbon-equivalent-to-be-judged not-judged | copper may have been ordered |
  | S355JR Plate 401 N=0.03 Al=0.005             | chemistry-not-checked  | outside the tables |
  | S355J2 Plate 20 N=0.030 Al=0.005             | above-ladle-analysis | no limit for J2, but nothing binds it |
  | S460J2 Bar 151 V=0.2                         | chemistry-not-checked  | outside the tables |
  | S355J2 Plate 20 Nb=0.06 V=0.14 Ti=0.06       | above-ladle-analysis | EN 10020: alloyed |
  | S355J2 Plate 20 Cr=0.294 Ni=0.294 Mo=0.074   | – | below the limits of EN 10020 |
  | S460J2 Bar 20 Nb=0.054 V=0.134 Ti=0.054      | –                      | two decimals |
  | S355J2 Plate 20 P=0.20 standard=EN_10025-3   | chemistry-not-checked  | S355J2 is of part 2: a contradiction |
  | S355J2 Plate 20 P=0.20 standard=ASTM-A572    | chemistry-not-checked  | a standard that the reader does not know |
  | S355J2 HollowSection 20                      | chemistry-not-checked  | no form of EN 10025-2 |
  | S460J2 Plate 20                              | chemistry-not-checked  | S460 is a long product |
  | S355JR Plate 20 C=0.2 V=? inspectionDocument=2.2 | not-judged             | a 2.2 of S355 shows all seven |
  | S355JR Plate 20 Cu=? statedCev=0.4 inspectionDocument=2.2 | not-judged             | a 2.2 of S355 shows copper |
  | S275JR Plate 20 Cu=? V=? inspectionDocument=2.2 | –                      | a 2.2 of S275 need not show copper |
  | S355J2 Plate 20 Cu=? V=0.5 C=0.20 Mn=1.3     | above-ladle-analysis carbon-equivalent-too-high not-judged | without Cu 0.52 |
  | S355J2 Plate 20 Cu=? Ni=3 C=0.10 Mn=0.9      | above-ladle-analysis carbon-equivalent-to-be-judged not-judged | without Cu 0.46 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.42           | not-judged             | without V 0.45 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.5 analysis=product | carbon-equivalent-to-be-judged not-judged | without V 0.46 |`)
