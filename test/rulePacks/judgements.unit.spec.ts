import { describe, expect, it } from 'vitest'
import type { RuleSubject } from '../../src/domain/ruleBook.ts'
import { evaluateRulePack } from '../../src/rulePacks/evaluate.ts'
import { lineItem } from '../domain/facts.ts'
import { rowsOf } from './markdown.ts'
import { orderSubject, packOf, packs } from './shipped.ts'
import { certificateOf } from './writtenCertificate.ts'

/**
 * Certificates and orders with the tags that a quality manager expects on them, on both sides of each limit. A value
 * that is not listed is sound. Columns: values, expected tags, source.
 */

const chemistry = rowsOf(`
  | S235JR Plate 16   C=0.194                    | above-ladle-analysis   | C product 0.19 (1.2), ladle 0.17 (1.1) |
  | S235JR Plate 16   C=0.174                    | –                      | 0.17 at two decimals |
  | S235JR Plate 16   C=0.175                    | above-ladle-analysis   | half up: 0.18 |
  | S235JR Plate 16   C=0.195                    | above-product-analysis above-ladle-analysis | half up: 0.20 |
  | S235JR Plate 40   C=0.19                     | above-ladle-analysis   | 1.1, band 16–40 |
  | S235JR Plate 40.1 C=0.20                     | –                      | 1.1, above 40 mm |
  | S235JR Plate 50   C=0.23 Mn=0.5              | above-ladle-analysis   | 1.2, above 40 mm |
  | S235JR Plate 50   C=0.24 Mn=0.5              | above-product-analysis above-ladle-analysis | 1.2, above 40 mm |
  | S235J2 Plate 50   C=0.18                     | above-ladle-analysis   | 1.1: 0.17 at all thicknesses |
  | S235J2 Plate 50   C=0.20                     | above-product-analysis above-ladle-analysis | 1.2 |
  | S275JR Plate 20   C=0.21                     | –                      | 1.1 |
  | S275JR Plate 20   C=0.24                     | above-ladle-analysis   | 1.2 |
  | S275JR Plate 20   C=0.25 Mn=0.5              | above-product-analysis above-ladle-analysis | 1.2 |
  | S275JR Plate 50   C=0.25                     | above-ladle-analysis   | 1.2, above 40 mm |
  | S275J0 Plate 20   C=0.21                     | above-ladle-analysis   | 1.2 |
  | S275J0 Plate 20   C=0.22                     | above-product-analysis above-ladle-analysis | 1.2 |
  | S275J0 Plate 160  C=0.22                     | above-ladle-analysis   | note 3: laxest 0.22 above 150 mm |
  | S275J0 Plate 160  C=0.23                     | above-product-analysis above-ladle-analysis | note 3 |
  | S355JR Plate 20   C=0.27                     | above-ladle-analysis   | 1.2 |
  | S355JR Plate 20   C=0.28                     | above-product-analysis above-ladle-analysis | 1.2 |
  | S355J2 Plate 20   C=0.20                     | –                      | 1.1 |
  | S355J2 Plate 20   C=0.23                     | above-ladle-analysis   | 1.2 |
  | S355J2 Plate 20   C=0.24                     | above-product-analysis above-ladle-analysis | 1.2 |
  | S355J2 Plate 35   C=0.22                     | –                      | note 2 |
  | S355J2 Plate 35   C=0.24                     | above-ladle-analysis   | note 4: laxest 0.24 above 30 mm |
  | S355J2 Plate 35   C=0.25                     | above-product-analysis above-ladle-analysis | note 4 |
  | S355J2 Plate 35   C=0.60                     | above-product-analysis above-ladle-analysis carbon-equivalent-too-high carbon-equivalent-to-be-judged | never only a flag |
  | S355K2 Plate 50   C=0.24                     | above-ladle-analysis   | 1.2 |
  | S355J2 Section 120 C=0.30                    | chemistry-not-checked  | by agreement above 100 mm |
  | S355J2C+N Plate 12 C=0.22 analysis=ladle     | above-ladle-analysis   | letter C: 0.22 where cold roll forming was ordered |
  | S355J2C+N Plate 12 C=0.23 analysis=ladle     | above-product-analysis above-ladle-analysis | letter C |
  | S355J2C+N Plate 17 C=0.21 analysis=ladle     | above-product-analysis above-ladle-analysis | letter C holds up to 16 mm |
  | S355J2 Plate 12   C=0.21 analysis=ladle      | above-product-analysis above-ladle-analysis | a stated ladle analysis blocks |
  | S355J2 Plate 12   C=0.23 analysis=product    | –                      | a stated product analysis |
  | S355J2 Plate 12   C=0.24 analysis=product    | above-product-analysis above-ladle-analysis | a stated product analysis |
  | S355J2 – –        C=0.24                     | above-ladle-analysis not-judged | no thickness: the laxest band |
  | S355J2 – –        C=0.25                     | above-product-analysis above-ladle-analysis not-judged | no thickness: the laxest band |
  | S355J2 Plate 20   Si=0.55                    | –                      | 1.1 |
  | S355J2+C Bar 20   C=0.60                     | chemistry-not-checked  | EN 10277: cold drawn |
  | S355J2 Bar 20     C=0.60 deliveryCondition=C | chemistry-not-checked  | EN 10277, stated beside the grade |
  | S355J2 Plate 20   Si=0.60                    | above-ladle-analysis   | 1.2 |
  | S355J2 Plate 20   Si=0.61                    | above-product-analysis above-ladle-analysis | 1.2 |
  | S235JR Plate 20   Si=0.90                    | –                      | no limit |
  | S235JR Plate 20   Mn=1.40                    | –                      | 1.1 |
  | S235JR Plate 20   Mn=1.404                   | –                      | 1.40 has two decimals |
  | S235JR Plate 20   Mn=1.50                    | above-ladle-analysis carbon-equivalent-too-high carbon-equivalent-to-be-judged | 1.2; CEV 0.36 |
  | S275JR Plate 20   Mn=1.60                    | above-ladle-analysis   | 1.2 |
  | S275JR Plate 20   Mn=1.61                    | above-product-analysis above-ladle-analysis | 1.2 |
  | S355J2 Plate 20   Mn=1.60                    | –                      | 1.1 |
  | S355J2 Plate 20   Mn=1.70                    | above-ladle-analysis   | 1.2 |
  | S355J2 Plate 20   Mn=1.71                    | above-product-analysis above-ladle-analysis | 1.2 |
  | S235JR Plate 20   P=0.035                    | –                      | 1.1 |
  | S235JR Plate 20   P=0.0454                   | above-ladle-analysis   | 1.2, disputed: the laxest 0.045 |
  | S235JR Plate 20   P=0.046                    | above-product-analysis above-ladle-analysis | 1.2, the laxest |
  | S235JR Plate 20   P=0.20                     | above-product-analysis above-ladle-analysis | never only a flag |
  | S235J0 Plate 20   P=0.040                    | above-ladle-analysis   | 1.2, the laxest |
  | S235J0 Plate 20   P=0.041                    | above-product-analysis above-ladle-analysis | 1.2, the laxest |
  | S235J2 Plate 20   P=0.035                    | above-ladle-analysis   | 1.2 |
  | S235J2 Plate 20   P=0.036                    | above-product-analysis above-ladle-analysis | 1.2 |
  | S235JR Section 20 P=0.040                    | –                      | long products: 0.005 more |
  | S235JR Section 20 P=0.050                    | above-ladle-analysis   | long products |
  | S235JR Section 20 P=0.051                    | above-product-analysis above-ladle-analysis | long products |
  | S355J2 Section 20 P=0.030 analysis=ladle     | –                      | long products |
  | S355J2 Section 20 P=0.031 analysis=ladle     | above-product-analysis above-ladle-analysis | long products |
  | S355K2 Plate 20   S=0.025                    | –                      | 1.1 |
  | S355K2 Plate 20   S=0.035                    | above-ladle-analysis   | 1.2 |
  | S355K2 Plate 20   S=0.036                    | above-product-analysis above-ladle-analysis | 1.2 |
  | S275J0 Plate 20   S=0.041                    | above-product-analysis above-ladle-analysis | 1.2 |
  | S275JR Plate 20   S=0.060 Ca=0.002           | above-ladle-analysis   | machinability: 0.015 more with Ca 0.0020 |
  | S275JR Plate 20   S=0.061 Ca=0.002           | above-product-analysis above-ladle-analysis | machinability |
  | S275JR Plate 20   S=0.055 Ca=18              | above-product-analysis above-ladle-analysis | 18 ppm of calcium, as it was written, shows no treatment |
  | S355JR Plate 20   N=0.012 Al=0.005           | –                      | 1.1 |
  | S355JR Plate 20   N=0.014 Al=0.005           | above-ladle-analysis   | 1.2 |
  | S355JR Plate 20   N=0.015 Al=0.005           | above-product-analysis above-ladle-analysis | 1.2 |
  | S355JR Plate 20   N=0.015 Al=0.020           | –                      | aluminium binds it |
  | S355JR Plate 20   N=0.015 Al=0.019           | above-ladle-analysis   | below 0.020 total |
  | S355JR Plate 20   N=0.015 Al=0.005 solubleAluminium=0.015 | –         | 0.015 soluble |
  | S355JR Plate 20   N=0.015 Al=0.005 Ti=0.02   | above-ladle-analysis   | another binder is named |
  | S355J2 Plate 20   N=0.030                    | –                      | no limit for J2 |
  | S275JR Plate 20   Cu=0.55                    | –                      | 1.1 |
  | S275JR Plate 20   Cu=0.60                    | above-ladle-analysis   | 1.2 |
  | S275JR Plate 20   Cu=0.61                    | above-product-analysis above-ladle-analysis | 1.2: 0.40 of one card is an outlier |
  | S275JR Plate 20   Cu=1.5                     | above-product-analysis above-ladle-analysis | never only a flag |
  | S355J2 Plate 20   Cr=0.29                    | –                      | residual elements |
  | S355J2 Plate 20   Cr=0.30                    | above-ladle-analysis   | residual elements: a warning |
  | S355J2 Plate 20   Ni=0.425                   | above-ladle-analysis   | half up: 0.43 |
  | S355J2 Plate 20   Mo=0.12                    | above-ladle-analysis   | residual elements: a warning |
  | S460J2 Bar 20     Mn=1.71                    | above-ladle-analysis   | one source: flags |
  | S460J2 Bar 20     P=0.20                     | above-product-analysis above-ladle-analysis | above every row of the standard |
  | S460J2 Bar 20     Nb=0.06                    | above-ladle-analysis   | microalloying |
  | S460J2 Bar 20     V=0.14                     | above-ladle-analysis   | microalloying |
  | S460J2 Bar 20     Ti=0.06                    | above-ladle-analysis   | microalloying |
  | S235JR Plate 20   C=0.15 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0.006 | –       | CEV 0.3504 against 0.35 |
  | S235JR Plate 20   C=0.16 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0     | carbon-equivalent-too-high carbon-equivalent-to-be-judged | CEV 0.36 |
  | S235JR Plate 20   C=0.15 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0.3   | carbon-equivalent-to-be-judged | 0.37: copper may have been ordered |
  | S275JR Plate 20   C=0.20 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0     | –       | CEV 0.40 |
  | S275JR Plate 20   C=0.20 Mn=1.32 Cr=0 Mo=0 V=0 Ni=0 Cu=0    | carbon-equivalent-to-be-judged | CEV 0.42: raised by 0.02 |
  | S275JR Plate 20   C=0.20 Mn=1.38 Cr=0 Mo=0 V=0 Ni=0 Cu=0    | carbon-equivalent-too-high carbon-equivalent-to-be-judged | CEV 0.43 |
  | S355J2 Plate 20   C=0.20 Mn=1.5 Cr=0 Mo=0 V=0 Ni=0 Cu=0     | –       | CEV 0.45 |
  | S355J2 Plate 20   C=0.20 Mn=1.6 Cr=0 Mo=0 V=0 Ni=0 Cu=0     | carbon-equivalent-to-be-judged | CEV 0.47 |
  | S355J2 Plate 20   C=0.20 Mn=1.6 Cr=0.05 Mo=0 V=0 Ni=0 Cu=0  | carbon-equivalent-too-high carbon-equivalent-to-be-judged | CEV 0.48 |
  | S355J2 Plate 35   C=0.20 Mn=1.6 Cr=0.1 Mo=0 V=0 Ni=0 Cu=0   | carbon-equivalent-to-be-judged | 30–40 mm: 0.47, raised 0.49 |
  | S355J2 Plate 80   C=0.20 Mn=1.6 Cr=0.15 Mo=0 V=0 Ni=0 Cu=0  | carbon-equivalent-too-high carbon-equivalent-to-be-judged | CEV 0.50 |
  | S355J2 Bar 200    C=0.20 Mn=1.6 Cr=0.2 Mo=0.1 V=0.05 Ni=0 Cu=0  | –   | long: 0.54 from 150 to 250 mm |
  | S355J2 Plate 20   C=0.2 Cr=? statedCev=0.45  | –                      | an element is missing: as stated |
  | S355J2 Plate 20   C=0.2 Cr=? statedCev=0.47  | carbon-equivalent-to-be-judged | as stated |
  | S355J2 Plate 20   C=0.2 Cr=? statedCev=0.48  | carbon-equivalent-too-high carbon-equivalent-to-be-judged | as stated |
  | S355J2 Plate 20   chemistry=? statedCev=0.47 | carbon-equivalent-to-be-judged not-judged | no analysis at all: as stated |
  | S355J2 Plate 20   chemistry=? statedCev=0.48 | carbon-equivalent-too-high carbon-equivalent-to-be-judged not-judged | as stated |
  | S235JR Plate 20   Cu=? statedCev=0.37        | carbon-equivalent-to-be-judged not-judged | copper may have been ordered |
  | S235JR Plate 20   Cu=? statedCev=0.38        | carbon-equivalent-too-high carbon-equivalent-to-be-judged not-judged | above the raised limit |
  | S235JR Plate 20   Cu=0.2 V=? statedCev=0.36  | carbon-equivalent-too-high carbon-equivalent-to-be-judged | ordered copper is 0.25 at least |
  | S355J2 Plate 20   C=0.23 Mn=1.7 analysis=product statedCev=0.45 | – | 1.3: the CEV is of the ladle |
  | S355J2 Plate 20   C=0.2 Cr=?                 | not-judged             | all seven elements are needed |
  | S355J2 Plate 20   C=0.2 Mn=1.2 statedCev=0.42 | –                     | computed 0.41, stated 0.42 |
  | S355J2 Plate 20   C=0.2 Mn=1.2 statedCev=0.45 | carbon-equivalent-to-be-judged | differs by more than 0.02 |
  | S235JR Plate 20   V=? Mo=? inspectionDocument=2.2 | –                 | a 2.2 need not show all seven |
  | S235JR Plate 20   V=? Mo=?                   | not-judged             | a 3.1 shows all seven |
  | S355J2 Plate 401  C=0.60                     | chemistry-not-checked  | outside the tables |
  | S355JO Plate 20   C=0.24                     | above-product-analysis above-ladle-analysis | the letter O for the figure 0 |
  | S355J2N Plate 20  C=0.24                     | above-product-analysis above-ladle-analysis | +N without the sign |
  | 1.0577+N Plate 20 C=0.24                     | above-product-analysis above-ladle-analysis | by its number |
  | S355J2_Z25+N Plate 20 C=0.24                 | above-product-analysis above-ladle-analysis | with its Z quality |
  | S235JR/S355J2 Plate 20 Mn=1.55               | above-product-analysis above-ladle-analysis carbon-equivalent-too-high carbon-equivalent-to-be-judged | a dual grade holds by each name |
  | S355J2/S355NL Plate 20                       | chemistry-not-checked  | nobody has checked S355NL |
  | S355J2G3 Plate 20                            | chemistry-not-checked  | cannot be read |
  | S355 Plate 20                                | chemistry-not-checked  | no quality |
  | P265GH Plate 20                              | chemistry-not-checked  | cannot be read |
  | S355J2H HollowSection 8 standard=EN_10210-1  | chemistry-not-checked  | hollow sections |
  | S355J2 Plate 20   C=0.24 standard=EN_10025:2004      | above-product-analysis above-ladle-analysis | plain EN 10025 |
  | S355J2 Plate 20   C=0.24 standard=EN_10025/2         | above-product-analysis above-ladle-analysis | another sign |
  | S355J2 Plate 20   C=0.24 standard=EN_10025_-_2       | above-product-analysis above-ladle-analysis | spaces |
  | S355J2 Plate 20   C=0.24 standard=EN__10025-2        | above-product-analysis above-ladle-analysis | two spaces |
  | S355J2 Plate 20   C=0.24 standard=EN_10025–2         | above-product-analysis above-ladle-analysis | another dash |
  | S355J2 Plate 20   C=0.24 standard=DIN_EN_10025-2:2005-04 | above-product-analysis above-ladle-analysis | national |
  | S355J2 Plate 20   C=0.24 standard=BS_EN_10025-2      | above-product-analysis above-ladle-analysis | national |
  | S355J2 Plate 20   C=0.24 standard=NF_EN_10025-2:2019 | above-product-analysis above-ladle-analysis | national |
  | S355J2 Plate 20   C=0.24 standard=ASTM_A572  | chemistry-not-checked  | a standard that the reader does not know |
  | S355J2+AR Plate 20 deliveryCondition=+N      | chemistry-not-checked  | two delivery conditions contradict each other |
  | S355J2+AR Plate 20 deliveryCondition=+N P=0.20 | above-product-analysis above-ladle-analysis chemistry-not-checked | the limits hold in either |
  | S355J2+AR+N Plate 20                         | chemistry-not-checked  | the name contradicts itself |
  | S355J2+Z15 Plate 20 zQuality=Z25             | chemistry-not-checked  | two Z qualities |
  | S355J2 Plate 20 standard=EN_10025-3          | chemistry-not-checked  | S355J2 is not of part 3 |
  | S355J2_(1.0045) Plate 20 C=0.24              | above-product-analysis above-ladle-analysis chemistry-not-checked | name and number differ: each must hold |
  | S355J2 Plate 20 deliveryCondition=NR         | chemistry-not-checked  | nobody has checked NR |
  | S355J2 Plate 20 deliveryCondition=NR P=0.20  | above-product-analysis above-ladle-analysis chemistry-not-checked | the limits are applied all the same |
  | S355J2/S355NL Plate 20 standard=EN_10025-2_/_EN_10025-3 | chemistry-not-checked | no contradiction, but nobody has checked S355NL |
  | 1.4301 Plate 20 Cr=18 Ni=8 standard=EN_10088-2 | chemistry-not-checked | stainless: no figures at hand |
  | S235JR Plate 20 Cu=? V=? Mo=? inspectionDocument=2.2 | –              | a 2.2 need not show copper, one of the seven |
  | S235JR Plate 20 Cu=? inspectionDocument=3.1  | not-judged             | a 3.1 shows it |
  | S355J2 Plate 20 C=0.22 Mn=1.70 Cr=0.05 analysis=product | carbon-equivalent-to-be-judged | CEV 0.52 of the product: 0.47, and 0.05 more |
  | S355J2 Plate 20 C=0.22 Mn=1.70 Cr=0.10 analysis=product | carbon-equivalent-too-high carbon-equivalent-to-be-judged | CEV 0.53 of the product |
  | S275JR Plate 20 S=0.055 Ca=0.0019            | above-product-analysis above-ladle-analysis | treated from 0.0020 of calcium on |
  | S275JR Plate 20 S=0.055 Ca=0.1               | above-ladle-analysis   | calcium: house rule |
  | S275JR Plate 20 S=0.055 Ca=0.11              | above-product-analysis above-ladle-analysis | calcium: house rule |
  | S235JR Plate 20 C=0.15 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0.25 | carbon-equivalent-to-be-judged | 0.37: copper from 0.25 on |
  | S235JR Plate 20 C=0.14 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0.40 | carbon-equivalent-to-be-judged | 0.37: copper up to 0.40 |
  | S235JR Plate 400.5                           | chemistry-not-checked  | outside the tables |
  | S275JR Plate 400.5                           | chemistry-not-checked  | outside the tables |
  | S355J2 Plate 400                             | –                      | the last thickness of the tables |
  | S355J2 Section 100 C=0.30                    | above-product-analysis above-ladle-analysis | by agreement above 100 mm only |
  | S355J2 Section 100.5 C=0.30                  | chemistry-not-checked  | by agreement above 100 mm |
  | S355J2 Other 120 C=0.30                      | above-ladle-analysis   | it may be a section |
  | S355J2 – 120 C=0.30                          | above-ladle-analysis   | it may be a section |
  | S275JR Plate 20 V=? Mo=? inspectionDocument=2.2 | –                      | a 2.2 of S275 need not show all seven |
  | S355JR Plate 20 Cu=? V=? inspectionDocument=2.2 | not-judged             | S355 |
  | S355J2 Coil 20 P=0.036                       | above-product-analysis above-ladle-analysis | a coil is no long product |
  | S355J2 Tube 20                               | chemistry-not-checked  | no form of EN 10025-2 |
  | S355J2 – 20 P=0.040                          | above-ladle-analysis   | it may be a long product |
  | S355J2 – 20 P=0.041                          | above-product-analysis above-ladle-analysis | not even as a long product |
  | S355JRC Plate 12 C=0.24 analysis=ladle       | –                      | letter C changes nothing for JR |
  | S355J2C Plate 12 C=0.23                      | above-ladle-analysis   | letter C: a product analysis may have 0.23 |
  | S355J2 – – C=0.22 Mn=0.5                     | not-judged             | no thickness: the laxest band |
  | S355J2 – – C=0.2 Mn=1.6 Cr=0.1 Mo=0 V=0 Ni=0 Cu=0 | not-judged             | no thickness: CEV 0.49 of the laxest band |
  | S355JR Plate 20 N=0.015 Al=0.005 Ti=0 Nb=0 B=0 Zr=0 | above-product-analysis above-ladle-analysis | 0 % binds nothing |
  | S355JR Plate 20 N=0.015 Al=0.005 Nb=0.02     | above-ladle-analysis   | another binder is named |
  | S355JR Plate 20 N=0.015 Al=0.005 V=0.02      | above-ladle-analysis   | another binder is named |
  | S355JR Plate 20 N=0.015 Al=0.005 B=0.002     | above-ladle-analysis   | another binder is named |
  | S355JR Plate 20 N=0.015 Al=0.005 Zr=0.02     | above-ladle-analysis   | another binder is named |
  | S355JR Plate 20 N=0.015 Al=0.005 V=0.001     | above-product-analysis above-ladle-analysis | a trace of vanadium binds 0.0003 % |
  | S355JR Plate 20 N=0.018 Al=0.005 V=0.012     | above-product-analysis above-ladle-analysis | V binds 0.0033 %: 0.0147 are left |
  | S355JR Plate 20 N=0.018 Al=0.005 V=0.013     | above-ladle-analysis   | V binds 0.0036 %: 0.0144 are left |
  | S355JR Plate 20 N=0.018 Al=0.005 Ti=0.012    | above-ladle-analysis   | Ti binds 0.0035 % |
  | S355JR Plate 20 N=0.018 Al=0.005 Nb=0.023    | above-product-analysis above-ladle-analysis | Nb binds 0.0035 %: 0.0145 are left |
  | S355JR Plate 20 N=0.018 Al=0.005 Nb=0.024    | above-ladle-analysis   | Nb binds 0.0036 % |
  | S355JR Plate 20 N=0.015 Al=0.005 V=?         | above-product-analysis above-ladle-analysis not-judged | no binder is named |
  | S355JR Plate 20 N=0.015 Al=? solubleAluminium=0.015 | –                      | 0.015 soluble |
  | S355JR Plate 20 N=0.015 Al=0.0196            | –                      | 0.020 at three decimals |
  | S355J2 Plate 20 C=? statedCev=0.48           | carbon-equivalent-too-high carbon-equivalent-to-be-judged not-judged | as stated |
  | S355J2 Plate 20 Mn=? statedCev=0.48          | carbon-equivalent-too-high carbon-equivalent-to-be-judged not-judged | as stated |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.5            | carbon-equivalent-to-be-judged not-judged | C + Mn/6 + … without V is 0.46 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.6            | carbon-equivalent-too-high carbon-equivalent-to-be-judged not-judged | without V 0.48 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.57           | carbon-equivalent-to-be-judged not-judged | without V 0.4713 |
  | S355J2 Plate 20 V=? Cr=? Mo=? Ni=? Cu=? C=0.20 Mn=1.44 | not-judged   | C + Mn/6 alone is no CEV |
  | S235JR Plate 20 C=0.17 Mn=1.4 V=? inspectionDocument=2.2 | carbon-equivalent-too-high carbon-equivalent-to-be-judged | without V 0.41 |
  | S235JR Plate 20 C=0.15 Mn=1.1 V=? Cr=? Mo=? Ni=? Cu=? inspectionDocument=2.2 | – | a 2.2 need not show them: 0.33 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.6 statedCev=0.44 | carbon-equivalent-too-high carbon-equivalent-to-be-judged | the analysis gives 0.48 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.3 statedCev=0.405 | –                  | without V 0.425 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.3 statedCev=0.404 | carbon-equivalent-to-be-judged | without V 0.425: it cannot be less |
  | S355J2 Plate 20 Mo=? statedCev=0.48          | carbon-equivalent-too-high carbon-equivalent-to-be-judged | as stated |
  | S355J2 Plate 20 Ni=? statedCev=0.48          | carbon-equivalent-too-high carbon-equivalent-to-be-judged | as stated |
  | S355J2 Bar 200 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.475 | –                      | computed 0.495 |
  | S355J2 Bar 200 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.515 | –                      | computed 0.495 |
  | S355J2 Plate 20 C=0.2 Mn=1.2 statedCev=0.48  | carbon-equivalent-to-be-judged | the computed one counts: 0.41 |
  | S235JR Plate 20 C=0.17 Mn=1.4 inspectionDocument=2.2 | carbon-equivalent-too-high carbon-equivalent-to-be-judged | a 2.2 that shows all seven |
  | S235JR Plate 20 V=? statedCev=0.38 inspectionDocument=2.2 | carbon-equivalent-too-high carbon-equivalent-to-be-judged | a 2.2 with a stated one |
  | S235JR Plate 20 Cu=0.61 V=? Mo=? inspectionDocument=2.2 | above-product-analysis above-ladle-analysis | copper that a 2.2 shows |
  | S235JR Bar 20 C=0.16 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0 | carbon-equivalent-too-high carbon-equivalent-to-be-judged | only S355 has a row for long products |
  | S235JR Plate 20 chemistry=? statedCev=0.37   | carbon-equivalent-to-be-judged not-judged | copper may have been ordered |
  | S355JR Plate 401 N=0.03 Al=0.005             | chemistry-not-checked  | outside the tables |
  | S355J2 Plate 20 N=0.030 Al=0.005             | –                      | no limit for J2, bound or not |
  | S460J2 Bar 151 V=0.2                         | chemistry-not-checked  | outside the tables |
  | S355J2 Plate 20 Nb=0.06 V=0.14 Ti=0.06       | –                      | microalloying is limited in S460 only |
  | S355J2 Plate 20 Cr=0.294 Ni=0.424 Mo=0.114   | –                      | two decimals |
  | S460J2 Bar 20 Nb=0.054 V=0.134 Ti=0.054      | –                      | two decimals |
  | S355J2 Plate 20 P=0.20 standard=EN_10025:2004 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=EN_10025 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=EN_10025/2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=EN_10025_-_2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=EN_10025–2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=DIN_EN_10025-2:2019-10 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=BS_EN_10025-2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=NF_EN_10025-2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=EN-10025-2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=DIN-EN-10025-2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=DIN-EN_10025–2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=10025-2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=DIN_10025-2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=EN_10_025-2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=en-10025/2 | above-product-analysis above-ladle-analysis | a spelling of EN 10025-2 |
  | S355J2 Plate 20 P=0.20 standard=EN_10025-3   | chemistry-not-checked  | S355J2 is of part 2: a contradiction |
  | S355J2 Plate 20 P=0.20 standard=ASTM-A572    | chemistry-not-checked  | a standard that the reader does not know |
  | S355J2 HollowSection 20                      | chemistry-not-checked  | no form of EN 10025-2 |
  | S460J2 Plate 20                              | chemistry-not-checked  | S460 is a long product |
  | S355JR Plate 20 C=0.2 V=? inspectionDocument=2.2 | not-judged             | a 2.2 of S355 shows all seven |
  | S355JR Plate 20 Cu=? statedCev=0.4 inspectionDocument=2.2 | not-judged             | a 2.2 of S355 shows copper |
  | S275JR Plate 20 Cu=? V=? inspectionDocument=2.2 | –                      | a 2.2 of S275 need not show copper |
  | S355J2 Plate 20 Cu=? V=0.5 C=0.20 Mn=1.3     | carbon-equivalent-too-high carbon-equivalent-to-be-judged not-judged | without Cu 0.52 |
  | S355J2 Plate 20 Cu=? Ni=3 C=0.10 Mn=0.9      | above-ladle-analysis carbon-equivalent-to-be-judged not-judged | without Cu 0.46 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.42           | not-judged             | without V 0.45 |
  | S355J2 Plate 20 V=? C=0.20 Mn=1.5 analysis=product | carbon-equivalent-to-be-judged not-judged | without V 0.46 |`)

const mechanical = rowsOf(`
  | S355J2 Plate 20  reH=345                     | –                      | 2.1, 16–40 |
  | S355J2 Plate 20  reH=344.6                   | –                      | ISO 6892-1: 1 MPa |
  | S355J2 Plate 20  reH=344.4                   | outside-limits         | 2.1 |
  | S355J2 Plate 16  reH=354                     | outside-limits         | 2.1, up to 16 |
  | S355J2 Plate 63.1 reH=325                    | –                      | 2.1, 63–80 |
  | S235JR Plate 100 reH=214                     | outside-limits         | 2.1 |
  | S275JR Plate 150 reH=224                     | outside-limits         | 2.1 |
  | S355J2 Plate 400 reH=264                     | outside-limits         | 2.1, plate in J2 |
  | S355JR Plate 300 reH=264                     | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2 – –       reH=264                     | outside-limits not-judged | no thickness: the laxest band |
  | S355J2 – –       reH=265                     | not-judged             | no thickness: the laxest band |
  | S355J2 Plate 20  rm=470                      | –                      | 2.2 |
  | S355J2 Plate 20  rm=469.4                    | outside-limits         | 2.2 |
  | S355J2 Plate 20  rm=630.4                    | –                      | 1 MPa |
  | S355J2 Plate 20  rm=631                      | outside-limits         | 2.2 |
  | S355J2 Plate 2   rm=500                      | outside-limits mechanical-not-checked | 2.2 below 3 mm: 510; elongation is not judged |
  | S275JR Plate 120 rm=541                      | outside-limits         | 2.2, 100–150 |
  | S235JR – –       rm=500                      | not-judged             | no thickness: the widest range |
  | S235JR – –       rm=511                      | outside-limits not-judged | no thickness: the widest range |
  | S460J2 Bar 20    rm=540                      | limits-to-be-judged    | one source: flags |
  | S355J2 Bar 20    a=21.8                      | –                      | steps of 0.5: 22.0 |
  | S355J2 Bar 20    a=21.7                      | outside-limits limits-to-be-judged | 21.5 |
  | S355J2 Plate 20  a=20                        | limits-to-be-judged    | the direction is not stated |
  | S355J2 Plate 20  a=19.5                      | outside-limits limits-to-be-judged | below the one across |
  | S355J2 Plate 20  a=20 widthMm=2000           | –                      | from 600 mm width on across |
  | S355J2 Plate 20  a=21 widthMm=500            | outside-limits limits-to-be-judged | below 600 mm lengthwise |
  | S235JR Bar 50    a=24.5                      | outside-limits limits-to-be-judged | 2.3, 40–63: 25 |
  | S275J0 Bar 70    a=21                        | –                      | 2.3, 63–100 |
  | S355J2 Plate 20  kv=27                       | –                      | 2.4 |
  | S355J2 Plate 20  kv=26.5                     | –                      | half up: 27 |
  | S355J2 Plate 20  kv=26                       | charpy-outside-limits charpy-to-be-judged | 2.4 |
  | S355J2 Plate 12  kv=14                       | charpy-to-be-judged    | reduced test pieces up to and including 12 mm |
  | S355J2 Plate 12  kv=13                       | charpy-outside-limits charpy-to-be-judged | below half |
  | S355J2 Plate 12.1 kv=26                      | charpy-outside-limits charpy-to-be-judged | above 12 mm |
  | S355J2 Plate 5.9 kv=5                        | –                      | below 6 mm none is made |
  | S355K2 Plate 20  kv=40                       | –                      | 2.4 |
  | S355K2 Plate 20  kv=39                       | charpy-outside-limits charpy-to-be-judged | 2.4 |
  | S355K2 Plate 20  kv=27 kt=-30                | –                      | 27 J at −30 °C meets 40 J at −20 °C |
  | S355K2 Plate 20  kv=26 kt=-30                | charpy-to-be-judged    | colder, too little |
  | S355K2 Plate 160 kv=33                       | –                      | 2.4, above 150 mm |
  | S355J0 Plate 20  kv=60 kt=0                  | –                      | 2.4 |
  | S355J0 Plate 20  kv=60 kt=20                 | charpy-outside-limits charpy-to-be-judged | too warm |
  | S355JR Plate 20  kv=20 kt=20                 | charpy-to-be-judged    | JR only if ordered |
  | S355JR Plate 20  kv=? kt=?                   | –                      | JR needs no test |
  | S355J2 Plate 20  kv=? kt=0                   | not-judged             | a temperature without energy is not too warm |
  | S355J2 Plate 20  kv=? kt=?                   | not-judged             | J2 promises an energy |
  | S355J2 Plate 20  kv=60 kt=?                  | not-judged             | an energy without its temperature |
  | S355J2 Plate 20  reH=?                       | not-judged             | the yield strength is missing |
  | S355J2 Plate 20  tests=27/27/27@-20          | –                      | 2.4, tests one by one |
  | S355J2 Plate 20  tests=27/26/27@-20          | –                      | average 26.7, one below |
  | S355J2 Plate 20  tests=25/27/27@-20          | charpy-outside-limits charpy-to-be-judged | average 26.3 |
  | S355J2 Plate 20  tests=40/30/19@-20          | –                      | one below, 70 % of 27 is 18.9 |
  | S355J2 Plate 20  tests=45/30/18@-20          | charpy-outside-limits charpy-to-be-judged | one below 70 % |
  | S355J2 Plate 20  tests=40/26/27@-20          | –                      | one below |
  | S355J2 Plate 20  tests=40/26/26@-20          | charpy-outside-limits charpy-to-be-judged | two below |
  | S355K2 Plate 20  tests=60/40/28@-20          | –                      | 70 % of 40 is 28 |
  | S355K2 Plate 20  tests=60/40/27@-20          | charpy-outside-limits charpy-to-be-judged | one below 70 % |
  | S355K2 Plate 160 tests=50/33/24@-20          | –                      | 70 % of 33 is 23.1 |
  | S355K2 Plate 160 tests=50/33/23@-20          | charpy-outside-limits charpy-to-be-judged | one below 70 % |
  | S355J2 Plate 10  tests=20/20/20@-20w7.5      | –                      | 7.5 mm: 20.25, at full joules 20 |
  | S355J2 Plate 10  tests=19/19/22@-20w7.5      | charpy-outside-limits charpy-to-be-judged | two below |
  | S355J2 Plate 10  tests=19/19/19@-20w7.5      | charpy-outside-limits charpy-to-be-judged | average 19 |
  | S355J2 Plate 10  tests=15/25/25@-20w7.5      | –                      | 70 % of 20.25 is 14.2 |
  | S355J2 Plate 10  tests=14/25/25@-20w7.5      | charpy-outside-limits charpy-to-be-judged | one below 70 % |
  | S355J2 Plate 8   tests=14/14/14@-20w5        | –                      | 5 mm: 13.5 |
  | S355J2 Plate 8   tests=14/14/14@-20w4.9      | charpy-to-be-judged    | narrower than 5 mm |
  | S355J2 Plate 12  tests=5/5/5@-20w1           | charpy-to-be-judged    | narrower than 5 mm |
  | S355J2 Plate 5.9 tests=5/5/5@-20w1           | –                      | below 6 mm none is made |
  | S355J2 Plate 8   tests=13/13/14@-20w5        | charpy-outside-limits charpy-to-be-judged | average 13.3 |
  | S355J2 Plate 8   tests=20/20/20@-20w10       | charpy-outside-limits charpy-to-be-judged | a full test piece |
  | S355J2 Plate 12  tests=20/20/20@-20w7.5      | –                      | reduced up to and including 12 mm |
  | S355J2 Plate 12.1 tests=40/40/40@-20w7.5     | charpy-to-be-judged    | reduced above 12 mm |
  | S355J2 Plate 20  tests=40/40/40@-20w7.5;40/40/40@-20 | –              | a full one too |
  | S355J2 Plate 12  tests=14/14/14@-20          | charpy-to-be-judged    | the width is not stated: perhaps half |
  | S355J2 Plate 12  tests=13/13/13@-20          | charpy-outside-limits charpy-to-be-judged | below half |
  | S355J2 Plate 12.1 tests=26/26/26@-20         | charpy-outside-limits charpy-to-be-judged | no reduced test piece |
  | S355J2 Plate 20  tests=60/60/60@0            | charpy-outside-limits charpy-to-be-judged | too warm |
  | S355J2 Plate 20  tests=60/60/60@0;60/60/60@-20 | –                    | also cold enough |
  | S355J2 Plate 20  tests=60/60/60@-20;9/9/9@-50 | –                     | the colder test asks for nothing |
  | S355J2 Plate 20  tests=20/20/20@-50          | charpy-to-be-judged    | colder, too little |
  | S355K2 Plate 20  tests=27/27/27@-30          | –                      | 27 J at −30 °C meets 40 J at −20 °C |
  | S355K2 Plate 20  tests=40/40/40@-20;27/27/27@-30 | –                  | also with a test at −20 °C |
  | S355K2 Plate 20  tests=27/27/27@-20;27/27/27@-30 | charpy-to-be-judged | the test at −20 °C shows less than 40 J |
  | S355K2 Plate 20  tests=26/26/26@-20;27/27/27@-30 | charpy-outside-limits charpy-to-be-judged | less at −20 °C than at −30 °C |
  | S355K2 Plate 20  tests=60/60/60@-20;20/20/20@-20;27/27/27@-30 | charpy-outside-limits charpy-to-be-judged | each test at −20 °C counts |
  | S355K2 Plate 20  tests=40/40/19@-20;27/27/27@-30 | charpy-to-be-judged | one below 70 % of 40 J |
  | S355K2 Plate 20  tests=40/40/18@-20;27/27/27@-30 | charpy-outside-limits charpy-to-be-judged | one below 70 % of 27 J |
  | S355K2 Plate 20  tests=43/19/19@-30          | charpy-to-be-judged    | at −30 °C, two below 27 J |
  | S355K2 Plate 20  tests=45/27/19@-30          | –                      | at −30 °C, 70 % of 27 J |
  | S355K2 Plate 20  tests=45/27/18@-30          | charpy-to-be-judged    | at −30 °C, one below 70 % of 27 J |
  | S355K2 Plate 20  tests=27/27/27@-30;9/9/9@-50 | –                     | the colder test asks for nothing |
  | S355K2 Plate 20  tests=26/26/26@-30          | charpy-to-be-judged    | colder, too little |
  | S355J2 Plate 20  tests=20/20/20@-20t         | charpy-to-be-judged    | across: the table is of lengthwise tests |
  | S355JR Plate 20  tests=20/20/20@20           | charpy-to-be-judged    | JR only if ordered |
  | S355J2 Plate 20  tests=20/20/20@             | not-judged             | an energy without its temperature |
  | S355J2 Section 120 kv=5                      | mechanical-not-checked | by agreement above 100 mm |
  | S355NL Plate 20                              | mechanical-not-checked | another standard |
  | S355J2G3 Plate 20                            | mechanical-not-checked | cannot be read |
  | S355J2+AR Plate 20 deliveryCondition=+N      | mechanical-not-checked | two delivery conditions contradict each other |
  | S355J2+AR Plate 20 deliveryCondition=+N reH=300 | outside-limits mechanical-not-checked | the limits hold in either |
  | S355J2 Plate 20 deliveryCondition=NR         | mechanical-not-checked | nobody has checked NR |
  | S355J2 Plate 20 deliveryCondition=NR reH=300 | outside-limits mechanical-not-checked | the limits are applied all the same |
  | S355J2/S355K2 Plate 20 kv=39                 | charpy-outside-limits charpy-to-be-judged | a dual grade: K2 needs 40 J |
  | S355J2/K2+N Plate 20 kv=39                   | charpy-outside-limits charpy-to-be-judged | a dual grade in short: K2 needs 40 J |
  | S355J2/K2+N Plate 20 kv=40                   | –                      | a dual grade in short |
  | S355_J2+N_/_K2+N Plate 20 kv=39              | charpy-outside-limits charpy-to-be-judged | a dual grade in short, with spaces |
  | S275JR/J0 Bar 20 kv=20 kt=0                  | charpy-outside-limits charpy-to-be-judged | a dual grade in short: J0 needs 27 J |
  | P265GH/K2 Plate 20                           | mechanical-not-checked | no strength in front of the quality |
  | S355J2/X2 Plate 20                           | mechanical-not-checked | no quality |
  | 1.4301 Plate 20 standard=EN_10088-2          | mechanical-not-checked | stainless: no figures at hand |
  | S355J2 Plate 20  tensile=rm480;rm630         | –                      | 2.2, each test |
  | S355J2 Plate 20  tensile=rm480;rm631         | outside-limits         | 2.2: the summary has the least test only |
  | S355J2 Plate 20  tensile=rm469.4             | outside-limits         | 2.2, whatever the summary says |
  | S355J2 Plate 20  tensile=rm470               | –                      | 2.2 |
  | S460J2 Bar 20    tensile=rm600;rm721         | limits-to-be-judged    | one source: flags |
  | S460J2 Bar 20    tensile=rm549               | limits-to-be-judged    | one source: flags |
  | S355J2 Plate 20  tensile=re345               | –                      | 2.1, each test |
  | S355J2 Plate 20  tensile=re344;re400         | outside-limits         | 2.1, whatever the summary says |
  | S355J2 Plate 20  reH=344 tensile=re344       | outside-limits         | 2.1, once |
  | S355J2 Plate 20  reH=? tensile=re344         | outside-limits not-judged | 2.1, without one in the summary |
  | S355JR Plate 300 tensile=re264               | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2 Plate 20  tensile=re400;rp345         | –                      | Rp0.2 of a test without ReH |
  | S355J2 Plate 20  tensile=re400;rp344         | limits-to-be-judged    | Rp0.2 of a test without ReH |
  | S355J2 Plate 20  tensile=a21l                | outside-limits         | 2.3, whatever the summary says |
  | S355J2 Plate 20  tensile=a22l;a20t           | –                      | 2.3, by the direction of each test |
  | S355J2 Plate 20  tensile=a22l;a19t           | outside-limits         | 2.3, by the direction of each test |
  | S355J2 Plate 20  tensile=a20                 | –                      | not below the one across |
  | S355J2 Plate 20  tensile=a19.5               | outside-limits         | below the one across |
  | S355J2 Plate 20  tensile=e10l                | –                      | over 80 mm |
  | S275J2 Plate 300 tensile=a17l                | limits-to-be-judged    | 2.3, above 250 mm: one source |
  | S355J2 Plate 20  reH=? tensile=rp345         | –                      | Rp0.2 stands for ReH |
  | S355J2 Plate 20  reH=? tensile=rp344         | outside-limits         | Rp0.2 stands for ReH |
  | S355J2 Plate 20  reH=345 tensile=rp330       | –                      | ReH is stated |
  | S355JR Plate 300 reH=? tensile=rp264         | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2 Plate 20  a=20 tensile=a20t           | –                      | tested across |
  | S355J2 Plate 20  a=21 tensile=a21l           | outside-limits limits-to-be-judged | tested lengthwise |
  | S355J2 Plate 20  a=21 tensile=a21l widthMm=2000 | outside-limits limits-to-be-judged | the direction of the test counts |
  | S355J2 Plate 20  a=20 tensile=a20t widthMm=500  | –                   | the direction of the test counts |
  | S355J2 Plate 20  a=20 tensile=a20t;a23l      | limits-to-be-judged    | both directions |
  | S355J2+N Plate 30 zQuality=Z25               | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N_Z25 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N+Z35 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N_Z_25 Plate 30                       | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N_z15 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S460J0 Bar 20                                | –                      | 2.1 to 2.4 |
  | S460K2 Bar 20                                | –                      | 2.1 to 2.4 |
  | S355J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S460J2 Bar 150.5                             | mechanical-not-checked | outside the tables |
  | S355JR Plate 300                             | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S275J2 Plate 300 widthMm=2000 a=18           | –                      | 2.3, above 250 mm |
  | S275J2 Plate 300 widthMm=2000 a=17.5         | limits-to-be-judged    | 2.3, above 250 mm: one source |
  | S355J2 Plate 300 widthMm=2000 a=17           | –                      | 2.3, above 250 mm |
  | S355J2 Plate 300 widthMm=2000 a=16.5         | limits-to-be-judged    | 2.3, above 250 mm: one source |
  | S355J2 Plate 20 a=20 widthMm=600             | –                      | from 600 mm width on across |
  | S355J2 Plate 20 a=20 widthMm=599             | outside-limits limits-to-be-judged | below 600 mm lengthwise |
  | S355JR Plate 20 tests=60/60/60@19;20/20/20@20 | charpy-to-be-judged    | JR at 20 °C |
  | S355J2 Section 100 kv=5                      | charpy-outside-limits charpy-to-be-judged | 2.4, up to 100 mm |
  | S355J2 Plate 120 kv=5                        | charpy-outside-limits charpy-to-be-judged | plate has limits above 100 mm |
  | S355J2 Other 100 kv=5                        | charpy-outside-limits charpy-to-be-judged | 2.4, up to 100 mm |
  | S355J2 Other 100.1 kv=5                      | charpy-to-be-judged    | it may be a section |
  | S355J2 – 100.1 kv=5                          | charpy-to-be-judged    | it may be a section |
  | S355J2 Plate 6 kv=5                          | charpy-outside-limits charpy-to-be-judged | from 6 mm on |
  | S355K2 Plate 20 kv=27 kt=-29                 | charpy-to-be-judged    | 27 J at −30 °C |
  | S460J2 Bar 20 kv=20                          | charpy-to-be-judged    | one source: flags |
  | S355J2 Plate 20 tests=20/20/20@-20;60/60/60@-30 | charpy-outside-limits charpy-to-be-judged | each test at its temperature |
  | S355JR Plate 300 tensile=rm601               | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2 Plate 20 reH=? tensile=rp344;rp400    | outside-limits         | each test |
  | S355J2 HollowSection 20                      | mechanical-not-checked | no form of EN 10025-2 |
  | S460J2 Plate 20                              | mechanical-not-checked | S460 is a long product |
  | S355J2 Plate 20 standard=ASTM_A572           | mechanical-not-checked | a standard that the reader does not know |
  | S355NL Plate 20 standard=EN_10025-3          | mechanical-not-checked | another standard |
  | S355J2H HollowSection 8 standard=EN_10210-1  | mechanical-not-checked | hollow sections |
  | S235J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S275J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S355J2 Coil 20 a=21 widthMm=500              | outside-limits limits-to-be-judged | below 600 mm lengthwise |
  | S355J2 Plate 20 a=20 widthMm=2000 tensile=rm500 | –                      | the test says nothing of elongation |
  | S355J2 Plate 20 a=20 widthMm=2000 tests=60/60/60@-20 | –                      | no tensile test |
  | S355J2 Plate 20 a=20 tensile=a20t;rm500 tests=60/60/60@-20 | –                      | tests of other kinds beside it |
  | S355J2 Plate 20 a=21 tensile=a21l;rm500 tests=60/60/60@-20 | outside-limits limits-to-be-judged | tests of other kinds beside it |
  | S355J2 Plate 20 a=20 tensile=a20             | limits-to-be-judged    | the direction is not stated |
  | S355J2 Plate 20 a=20 tensile=a20 widthMm=2000 | –                      | the width tells the direction |
  | S355J2 Section 20 a=21                       | outside-limits limits-to-be-judged | a section is tested lengthwise |
  | S355J2 Other 20 a=21 widthMm=500             | limits-to-be-judged    | the width tells the direction of plates only |
  | S355J2 Other 20 a=20 widthMm=2000            | limits-to-be-judged    | the width tells the direction of plates only |
  | S355J2 – – rm=450                            | not-judged             | no thickness: the widest range |
  | S355J2 – – rm=680                            | not-judged             | no thickness: the widest range |
  | S460J2 Bar – rm=720                          | not-judged             | no thickness: the widest range |
  | S460J2 Bar – rm=721                          | limits-to-be-judged not-judged | no thickness: the widest range |
  | S355J2 Plate 20 mechanical=? tensile=rp344   | outside-limits not-judged | Rp0.2 without a summary |
  | S355J2 Plate 20 reH=? tensile=rp344;rm550    | outside-limits         | one test of two has Rp0.2 |
  | S355J2 Plate 20 reH=? tensile=rp345;rm550    | –                      | one test of two has Rp0.2 |
  | S355J2 Plate 20 reH=? tests=60/60/60@-20     | not-judged             | no tensile test |
  | S355J2+C Bar 20 a=12 rm=700                  | mechanical-not-checked | EN 10277: cold drawn |
  | S355J2C+C Bar 20 standard=EN_10277-2         | mechanical-not-checked | EN 10277: cold drawn |
  | S355J2+SH Bar 20                             | mechanical-not-checked | EN 10277: peeled |
  | S355J2 Bar 20 deliveryCondition=C a=12       | mechanical-not-checked | EN 10277, stated beside the grade |
  | S355J2 Bar 20 deliveryCondition=+SH a=12     | mechanical-not-checked | EN 10277, stated beside the grade |
  | S355J2+N Bar 20 deliveryCondition=+C+SL a=12 | mechanical-not-checked | EN 10277, stated beside the grade |
  | S355J2+CR Plate 20                           | mechanical-not-checked | not a condition of steel.md |
  | S355J2 Coil 2.5 tensile=e17l                 | –                      | 2.3, over 80 mm |
  | S355J2 Coil 2.5 tensile=e16.74l              | limits-to-be-judged    | 2.3, over 80 mm: 16.5 |
  | S355J2 Coil 2.5 tensile=e16                  | limits-to-be-judged    | direction not stated: the lengthwise figure |
  | S355J2 Coil 2.5 tensile=e15t                 | –                      | 2.3: across 2 less |
  | S355J2 Coil 2.5 tensile=e14t                 | limits-to-be-judged    | 2.3: across 2 less |
  | S355J2 Coil 2.5 tensile=e17l;e16l            | limits-to-be-judged    | each test |
  | S355J2 Coil 2.5 tensile=a17l                 | mechanical-not-checked | another gauge length |
  | S355J2 Coil 2.5 a=30                         | mechanical-not-checked | no test over 80 mm |
  | S355J2 Coil 3   tensile=e10l                 | –                      | from 3 mm on A counts |
  | S355J2 Coil 2.5 tensile=rm550 tests=60/60/60@-20 | mechanical-not-checked | no elongation over 80 mm |
  | S460J2 Bar 2.5  tensile=e10l                 | mechanical-not-checked | no figures over 80 mm |
  | S355NL Coil 2.5 tensile=e10l                 | mechanical-not-checked | another standard |
  | S355J2 Section 100.5 kv=5                    | mechanical-not-checked | by agreement above 100 mm |
  | S355J2 Plate – a=17                          | not-judged             | no thickness: the laxest band |
  | S355J2 Plate – a=16.5                        | outside-limits limits-to-be-judged not-judged | no thickness: the laxest band |
  | S355K2 Plate – kv=33                         | not-judged             | no thickness: the laxest band |
  | S355J2 Plate 20 tests=60/60/60@;20/20/20@-20 | charpy-outside-limits charpy-to-be-judged | one test of two has its temperature |
  | S355JR Plate 20 kv=20 kt=?                   | charpy-to-be-judged not-judged | a value without its temperature |
  | S355JR Plate 20 kv=? kt=0                    | not-judged             | a temperature without its value |
  | S355JR Plate 20 mechanical=?                 | not-judged             | no mechanical values |
  | S355K2 Plate 10 tests=20/20/20@-30w7.5       | –                      | 7.5 mm: 20.25 of 27 J |
  | S355K2 Plate 10 tests=19/19/19@-30w7.5       | charpy-to-be-judged    | 7.5 mm: 20.25 of 27 J |
  | S355K2 Plate 20 tests=27/27/27@-30w10        | –                      | a full test piece |
  | S355J2 Plate 10 tests=20/20/20@-20w7.5;10/10/10@-50w7.5 | –                      | 7.5 mm: 20.25 J, and a colder test |
  | S355J2 Plate 10 tests=19/19/19@-30w7.5;10/10/10@-50w7.5 | charpy-to-be-judged    | no test shows the energy |
  | S355J2 Plate 20 tests=27/27/27@-20;9/9/9@-50 | –                      | the least energy, and a colder test |
  | S355J2 Plate 20 tests=27/27/27@-20w10;9/9/9@-50 | –                      | the least energy of a full test piece |
  | S355J2 Plate 20 tests=26/26/26@-30;9/9/9@-50 | charpy-to-be-judged    | no test shows the energy |
  | S355J2 Plate 20 tests=60/60/60@-20;20/20/20@-20 | charpy-outside-limits charpy-to-be-judged | each test counts |
  | S355J2 Plate 20 tests=26/26/26@-20w10        | charpy-outside-limits charpy-to-be-judged | a full test piece |
  | S355K2 Plate 10 tests=13/24/24@-30w7.5       | charpy-to-be-judged    | 70 % of 20.25 is 14.2 |
  | S355K2 Plate 20 tests=32/32/18@-30           | charpy-to-be-judged    | average 27.3, one below 70 % |
  | S460J2 Bar 20 tensile=rm550;rm720            | –                      | 2.2 |
  | S355J2_Z_15 Plate 20                         | mechanical-not-checked | through the thickness |
  | S355J2_Z_35 Plate 20                         | mechanical-not-checked | through the thickness |`)

const documents = rowsOf(`
  | S355J2 Plate 20 inspectionDocument=3.1       | –                      | 3, 2018 |
  | S355J2 Plate 20 inspectionDocument=2.2       | document-too-low       | 3, 2018: every class above S275 |
  | S355JR Plate 20 inspectionDocument=2.2       | document-too-low       | 3, 2018: every class above S275 |
  | S460J2 Bar 20 inspectionDocument=2.2         | document-too-low       | 3, 2018 |
  | S355J2H HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 | document-too-low | 3, 2018 |
  | S235JR Plate 20 inspectionDocument=2.2       | –                      | 3, 2018 |
  | S355J2 Plate 20 inspectionDocument=2.1       | document-too-low       | 3, 2018: every class above S275 |
  | P265GH Plate 20 inspectionDocument=2.1       | document-not-checked   | cannot be read |
  | S235JR Plate 20 inspectionDocument=2.1       | document-to-be-judged  | 2.1 carries no results |
  | S275J2 Plate 20 inspectionDocument=2.2       | document-to-be-judged  | impact tested below 0 °C |
  | S275J2 Plate 20 inspectionDocument=3.1       | –                      | 3 |
  | P265GH Plate 20 inspectionDocument=2.2       | document-not-checked   | cannot be read |
  | P265GH Plate 20 inspectionDocument=3.1       | –                      | 3.1 is safe for all |
  | S355J2+AR Plate 20 deliveryCondition=+N inspectionDocument=2.2 | document-too-low | S355 in any condition |
  | S235JR Plate 20 deliveryCondition=NR inspectionDocument=2.2 | –       | S235JR in any condition |
  | S235JR_(1.0577) Plate 20 inspectionDocument=2.2 | document-too-low    | perhaps S355J2 |
  | S235J0 Plate 20 inspectionDocument=2.2       | –                      | 3: JR and J0 |
  | S275JR Plate 20 inspectionDocument=2.2       | –                      | 3: JR and J0 |
  | S275J0 Plate 20 inspectionDocument=2.2       | –                      | 3: JR and J0 |
  | S235JRH HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 | –                      | 3: hollow sections, too |
  | S275J0H HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 | –                      | 3: hollow sections, too |
  | S235J2 Plate 20 inspectionDocument=2.2       | document-to-be-judged  | impact tested below 0 °C |
  | S275J2H HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 | document-to-be-judged  | impact tested below 0 °C |
  | S235J2W Plate 20 inspectionDocument=2.2 standard=EN_10025-5 | document-not-checked   | weathering steel |
  | S235JR/P265GH Plate 20 inspectionDocument=2.2 | document-not-checked   | one name cannot be read |
  | S355JR Plate 20 inspectionDocument=2.2 edition=2008 | document-to-be-judged  | 2008: 2.2 in EXC1 only |
  | S355J0 Plate 20 inspectionDocument=2.2 edition=2008 | document-to-be-judged  | 2008: 2.2 in EXC1 only |
  | S355J0H HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 edition=2008 | document-to-be-judged  | 2008 |
  | S355JR Plate 20 inspectionDocument=2.1 edition=2008 | document-to-be-judged document-too-low | 2008: results in every class |
  | S355JR Plate 20 inspectionDocument=3.1 edition=2008 | –                      | 2008 |
  | S355J2 Plate 20 inspectionDocument=2.2 edition=2008 | document-too-low       | 2008: J2 needs 3.1 |
  | S235JR Plate 20 inspectionDocument=2.2 edition=2008 | –                      | 2008 |`)

const completeness = rowsOf(`
  | S355J2 Plate 20                              | –                      | complete |
  | S355J2 Plate 20 V=?                          | incomplete             | an element of the CEV |
  | S355J2 Plate 20 V=? statedCev=0.4            | –                      | the mill states it |
  | S235JR Plate 20 V=? Mo=? inspectionDocument=2.2 | –                   | a 2.2 of S235 need not show it |
  | S355JR Plate 20 V=? Mo=? inspectionDocument=2.2 | incomplete          | S355 |
  | 1.4301 Plate 20 V=? Mo=? reH=?               | –                      | stainless |
  | S355J2 Plate 20 kv=? kt=?                    | incomplete             | J2 promises an energy |
  | S355J2 Plate 5.9 kv=? kt=?                   | –                      | below 6 mm none is made |
  | S355J2 Plate 20 kt=?                         | incomplete             | an energy without its temperature |
  | S355J2 Plate –                               | incomplete             | the limits depend on it |
  | S355J2 Plate 8 tests=20/20/20@-20w7.5        | –                      | a reduced test piece is a Charpy result |
  | S355J2 Plate 20 tests=60/60/60@              | incomplete             | an energy without its temperature |
  | S355J2 Plate 20 mechanical=? tests=60/60/60@-20 | incomplete          | no tensile test |
  | S355J2 Plate 20 mechanical=?                 | incomplete             | no mechanical values |
  | S355J2 Plate 20 reH=?                        | incomplete             | no yield strength |
  | S355J2 Plate 20 reH=? tensile=rp380;rm550    | –                      | one test of two has Rp0.2 |
  | S355J2 Plate 20 tests=60/60/60@;60/60/60@-20 | –                      | one test of two has its temperature |
  | S355J2 Plate 20 tests=60/60/60@-20 tensile=rm550 | –                      | tensile tests beside it |
  | S355J2 Plate 20 reH=? tensile=rp380          | –                      | Rp0.2 stands for ReH |
  | S355J2+AR Plate – deliveryCondition=+N       | incomplete             | a steel in spite of the contradiction |
  | S355J2 Plate 20 inspectionDocument=2.1 chemistry=? mechanical=? | –   | a declaration of compliance shows no results |
  | S355J2 Plate 6 kv=? kt=?                     | incomplete             | from 6 mm on |
  | S275JR Plate 20 V=? inspectionDocument=2.2   | –                      | a 2.2 of S275 need not show it |
  | S235JR Plate 20 V=? inspectionDocument=3.1   | incomplete             | a 3.1 shows it |
  | S355JR Plate 20 kv=? kt=?                    | –                      | JR needs no test |
  | P265GH Plate 20 kv=? kt=?                    | –                      | no structural steel that can be read |
  | S355 Plate 20 kv=? kt=?                      | –                      | no quality promises an energy |
  | S355J2 – – kv=? kt=?                         | incomplete details-missing | no thickness |
  | S355J2 Plate 20 rm=?                         | incomplete             | no tensile strength |
  | S355J2 Plate 20 a=?                          | incomplete             | no elongation |
  | S355J2 Plate 20 chemistry=?                  | incomplete             | no analysis |
  | S355J2 Plate 20 manufacturer=?               | incomplete             | EN 10204 |
  | S355J2 Plate 20 standard=?                   | incomplete             | EN 1090-2 |
  | S355J2 Plate 20 issuedOn=?                   | details-missing        | house rule |
  | S355J2 – 20                                  | details-missing        | house rule |
  | S355J2 Plate 20 reH=? inspectionDocument=2.1 | –                      | a declaration of compliance shows no results |
  | S355J2 Plate 20 kv=? kt=? inspectionDocument=2.1 | –                      | a declaration of compliance shows no results |
  | 1.4301 Plate –                               | –                      | no limits that depend on it |
  | S355J2 Plate 20 reH=? tensile=rm550          | incomplete             | neither ReH nor Rp0.2 |
  | S355J2 Coil 2.5 a=? tensile=e17l             | –                      | elongation over 80 mm |
  | S355J2 Coil 2.5 a=? tensile=rm550            | incomplete             | no elongation |
  | S355J2 Coil 2.5 a=? tests=60/60/60@-20       | incomplete             | no elongation |`)

const lines = rowsOf(`
  | EXC2 3.1 S355J2                              | –                      | each line has a grade |
  | EXC2 3.1 S355J2 –                            | line-without-grade     | one line has none |
  | EXC2 3.1 –                                   | line-without-grade     | no line has one |`)

const hollow = rowsOf(`
  | S355J2H HollowSection 10 standard=EN_10210-1                 | –                      | sound |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.22          | –                      | 5 |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.24          | hollow-to-be-judged    | a product analysis may be higher |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.24 analysis=ladle | hollow-chemistry-outside hollow-to-be-judged | 5, cast analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.28          | hollow-chemistry-outside hollow-to-be-judged | above every product analysis |
  | S235JRH HollowSection 40 standard=EN_10210-1 C=0.18 kv=? kt=? | hollow-to-be-judged   | 5, up to 40 mm |
  | S235JRH HollowSection 41 standard=EN_10210-1 C=0.20 kv=? kt=? | –                     | 5, 40–120 |
  | S235JRH HollowSection 10 standard=EN_10219-1 C=0.18 kv=? kt=? | hollow-to-be-judged   | 5, EN 10219 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Si=0.61         | hollow-chemistry-outside hollow-to-be-judged | above every product analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 Mn=1.81 C=0.05  | hollow-chemistry-outside hollow-to-be-judged | above every product analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 P=0.030         | –                      | 5 |
  | S355J2H HollowSection 10 standard=EN_10210-1 P=0.031         | hollow-to-be-judged    | 5 |
  | S355J2H HollowSection 10 standard=EN_10210-1 P=0.20          | hollow-chemistry-outside hollow-to-be-judged | never only a flag |
  | S355J2H HollowSection 10 standard=EN_10219-1 S=0.031 analysis=ladle | hollow-chemistry-outside hollow-to-be-judged | 5 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.010 Al=0.005 | hollow-to-be-judged   | 5 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.027 Al=0.005 kt=0 | hollow-to-be-judged | the laxest of EN 10025-2 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.005 kt=0 | hollow-to-be-judged hollow-chemistry-outside | above every figure |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.005 Ti=0.02 kt=0 | hollow-to-be-judged | Ti binds 0.0058 % |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.019 kt=0 | hollow-to-be-judged hollow-chemistry-outside | aluminium below 0.020 % |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.020 kt=0 | hollow-to-be-judged | aluminium binds some |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.012 Al=0.005 kt=0 analysis=ladle | hollow-to-be-judged | 5, note 6: 0.012 with less phosphorus |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.013 Al=0.005 kt=0 analysis=ladle | hollow-to-be-judged hollow-chemistry-outside | 5, note 6 |
  | S355J0H HollowSection 10 standard=EN_10219-1 N=0.009 Al=0.005 kt=0 analysis=ladle | – | 5 |
  | S355J0H HollowSection 10 standard=EN_10219-1 N=0.010 Al=0.005 kt=0 analysis=ladle | hollow-to-be-judged hollow-chemistry-outside | 5 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.010 Al=0.030 | –                     | aluminium binds it |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.016 Al=0.030 | hollow-to-be-judged   | less than twice the nitrogen |
  | S275J0H HollowSection 10 standard=EN_10219-1 C=0.20 Mn=1.2 Cr=0 Mo=0 V=0 Ni=0 Cu=0 | – | CEV 0.40 |
  | S275J0H HollowSection 10 standard=EN_10219-1 C=0.20 Mn=1.26 Cr=0 Mo=0 V=0 Ni=0 Cu=0 | hollow-chemistry-outside | CEV 0.41 |
  | S275J0H HollowSection 10 standard=EN_10210-1 C=0.20 Mn=1.26 Cr=0 Mo=0 V=0 Ni=0 Cu=0 | – | EN 10210: 0.41 |
  | S355J2H HollowSection 20 standard=EN_10210-1 V=? statedCev=0.48 | hollow-chemistry-outside | as stated |
  | S355J2H HollowSection 20 standard=EN_10210-1 V=? statedCev=0.47 | –                   | as stated |
  | S355J2H HollowSection 16 standard=EN_10210-1 reH=354         | hollow-mechanical-outside | 5 |
  | S355J2H HollowSection 20 standard=EN_10219-1 reH=345         | –                      | 5 |
  | S355J2H HollowSection 3 standard=EN_10210-1 rm=509           | hollow-mechanical-outside | 5: thin up to 3 mm |
  | S355J2H HollowSection 3 standard=EN_10219-1 rm=509           | –                      | 5: thin below 3 mm |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=rm630   | –                      | 5, each test |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=rm500;rm631 | hollow-mechanical-outside | 5, each test |
  | S355J2H HollowSection 10 standard=EN_10219-1 reH=? tensile=rp355 | –                  | Rp0.2 stands for ReH |
  | S355J2H HollowSection 10 standard=EN_10219-1 reH=? tensile=rp354 | hollow-mechanical-outside | Rp0.2 stands for ReH |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=rm469   | hollow-mechanical-outside | 5, whatever the summary says |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=re355   | –                      | 5, each test |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=re354   | hollow-mechanical-outside | 5, whatever the summary says |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=354 tensile=re354 | hollow-mechanical-outside | 5, once |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=re400;rp354 | hollow-to-be-judged | Rp0.2 of a test without ReH |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=re400;rp355 | –                  | Rp0.2 of a test without ReH |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=a22l;a20t | –                    | 5, by the direction of each test |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=a21l    | hollow-mechanical-outside | 5, lengthwise |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=a19t    | hollow-mechanical-outside | 5, across |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=a20     | –                      | not below the one across |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=a19     | hollow-mechanical-outside | below the one across |
  | S355J2H HollowSection 10 standard=EN_10219-1 tensile=a20l    | –                      | 5 |
  | S355J2H HollowSection 10 standard=EN_10219-1 tensile=a19l    | hollow-to-be-judged    | footnotes reduce it |
  | S355J2H HollowSection 10 standard=EN_10210-1 a=21            | hollow-to-be-judged    | lengthwise 22 |
  | S355J2H HollowSection 10 standard=EN_10210-1 a=19            | hollow-mechanical-outside hollow-to-be-judged | across 20 |
  | S355J2H HollowSection 10 standard=EN_10219-1 a=20            | –                      | 5 |
  | S355J2H HollowSection 10 standard=EN_10219-1 a=18            | hollow-to-be-judged    | footnotes reduce it |
  | S355J2H HollowSection 16 standard=EN_10219-1 kv=26           | hollow-mechanical-outside hollow-to-be-judged | 5 |
  | S355J2H HollowSection 12 standard=EN_10219-1 kv=20           | hollow-to-be-judged    | reduced test pieces |
  | S355K2H HollowSection 16 standard=EN_10219-1 kv=27 kt=-30    | –                      | 27 J at −30 °C |
  | S355J0H HollowSection 16 standard=EN_10219-1 kt=20           | hollow-mechanical-outside | too warm |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=27/26/27@-20 | –                     | average 26.7, one below |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=40/30/19@-20 | –                     | 70 % of 27 is 18.9 |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=45/30/18@-20 | hollow-mechanical-outside hollow-to-be-judged | one below 70 % |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=40/26/26@-20 | hollow-mechanical-outside hollow-to-be-judged | two below |
  | S355J2H HollowSection 8 standard=EN_10219-1 tests=14/14/14@-20w5 | –                    | 5 mm: 13.5 |
  | S355J2H HollowSection 8 standard=EN_10219-1 tests=13/13/14@-20w5 | hollow-mechanical-outside hollow-to-be-judged | average 13.3 |
  | S355J2H HollowSection 12 standard=EN_10219-1 tests=40/40/40@-20w7.5 | –                 | reduced up to and including 12 mm |
  | S355J2H HollowSection 12.5 standard=EN_10219-1 tests=40/40/40@-20w7.5 | hollow-to-be-judged | reduced above 12 mm |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=20/20/20@-20t | hollow-to-be-judged  | across |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=60/60/60@0    | hollow-mechanical-outside | too warm |
  | S355K2H HollowSection 16 standard=EN_10219-1 tests=27/27/27@-30 | –    | 27 J at −30 °C |
  | S355J2H HollowSection 41 standard=EN_10219-1                 | hollow-not-checked     | EN 10219 ends at 40 mm |
  | S355J2H HollowSection – standard=EN_10210-1                  | not-judged             | no thickness |
  | S420NH HollowSection 10 standard=EN_10210-1                  | hollow-not-checked     | no figures at hand |
  | S355J2 Plate 20                              | hollow-not-checked     | no other pack covers it |
  | P265GH Plate 20                              | hollow-not-checked     | cannot be read |
  | S355J2H+AR HollowSection 10 standard=EN_10210-1 deliveryCondition=+N | hollow-not-checked | two delivery conditions contradict each other |
  | S355J2H HollowSection 10 standard=EN_10210-1 deliveryCondition=NR | hollow-not-checked | nobody has checked NR |
  | S355J2H HollowSection 10 standard=EN_10210-1 deliveryCondition=NR P=0.20 | hollow-chemistry-outside hollow-to-be-judged hollow-not-checked | the limits are applied all the same |
  | S420MH HollowSection 10 standard=EN_10210-1  | hollow-not-checked     | not of this standard, and no figures at hand |
  | S355J2H HollowSection 20 standard=EN_10210-1_/_EN_10219-1 C=0.20 Mn=1.5 | hollow-chemistry-outside | CEV 0.46: EN 10210 has 0.47, EN 10219 has 0.45 |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.30 | hollow-to-be-judged | computed 0.26 |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.22 Mn=1.5 analysis=product | hollow-to-be-judged | CEV 0.48 of the product, not of the cast |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.22 Mn=1.5 analysis=product statedCev=0.44 | – | as stated |
  | S235JRH HollowSection 16 standard=EN_10210-1 tests=60/60/60@19;20/20/20@20 | hollow-to-be-judged    | JR at 20 °C |
  | S235JRH HollowSection 16 standard=EN_10210-1 tests=60/60/60@20;20/20/20@19 | –                      | JR at 20 °C |
  | S355K2H HollowSection 16 standard=EN_10210-1 kv=26 kt=-30    | hollow-to-be-judged    | 27 J at −30 °C |
  | S355K2H HollowSection 16 standard=EN_10210-1 kv=27 kt=-29    | hollow-to-be-judged    | 27 J at −30 °C |
  | S355J2H HollowSection 16 standard=EN_10210-1 kv=27 kt=-30    | –                      | J2 needs 27 J |
  | S355J2H HollowSection 12 standard=EN_10210-1 kv=14           | hollow-to-be-judged    | reduced test pieces, at least half |
  | S355J2H HollowSection 12 standard=EN_10210-1 kv=13           | hollow-mechanical-outside hollow-to-be-judged | below half |
  | S355J2H HollowSection 5.9 standard=EN_10210-1 kv=5           | –                      | below 6 mm none is made |
  | S355J2H HollowSection 6 standard=EN_10210-1 kv=5             | hollow-mechanical-outside hollow-to-be-judged | from 6 mm on |
  | S275J0H HollowSection 10 standard=EN_10210-1 V=? inspectionDocument=2.2 | –                      | a 2.2 of S275 need not show all seven |
  | S275J0H HollowSection 10 standard=EN_10210-1 V=?             | not-judged             | a 3.1 shows all seven |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? inspectionDocument=2.2 | not-judged             | S355 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cr=? statedCev=0.44 | –                      | as stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.5 | hollow-chemistry-outside hollow-to-be-judged not-judged | without V 0.46 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.4 | not-judged           | without V 0.44 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.5 analysis=product | hollow-to-be-judged not-judged | of the product, without V 0.46 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.3 statedCev=0.405 | –    | without V 0.425 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.3 statedCev=0.404 | hollow-to-be-judged | without V 0.425: it cannot be less |
  | S355J2H HollowSection 10 standard=EN_10210-1 Mo=? statedCev=0.44 | –                      | as stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 Ni=? statedCev=0.44 | –                      | as stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cu=? statedCev=0.44 | –                      | as stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=? statedCev=0.44 | not-judged             | carbon has a limit of its own |
  | S355J2H HollowSection 10 standard=EN_10210-1 Mn=? statedCev=0.46 | hollow-chemistry-outside not-judged | manganese has a limit of its own |
  | S355J2H HollowSection 10 standard=EN_10210-1 chemistry=? statedCev=0.46 | hollow-chemistry-outside not-judged | no analysis at all: as stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.48  | hollow-to-be-judged    | computed 0.26: the stated one differs |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.239 | –                      | computed 0.259 |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.238 | hollow-to-be-judged    | differs by more than 0.02 |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.279 | –                      | computed 0.259 |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.28  | hollow-to-be-judged    | differs by more than 0.02 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=1.05          | hollow-chemistry-outside | CEV 0.47 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cu=3.2          | hollow-chemistry-outside | CEV 0.47 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.0095 Al=0.0192 kt=0 | hollow-to-be-judged    | less than 0.020 % of aluminium |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.0095 Al=? kt=0 | hollow-to-be-judged    | no aluminium is stated |
  | S355J2H HollowSection – standard=EN_10210-1 rm=680           | not-judged             | no thickness: the laxest range |
  | S355J2H HollowSection – standard=EN_10210-1 rm=681           | hollow-mechanical-outside not-judged | no thickness: the laxest range |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? rm=? a=? tensile=rm550 | not-judged             | neither ReH nor Rp0.2 |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rp354;rm550 | hollow-mechanical-outside | one test of two has Rp0.2 |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rp355;rm550 | –                      | one test of two has Rp0.2 |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tests=60/60/60@-20 | not-judged             | no tensile test |
  | S355J2H HollowSection 10 standard=EN_10210-1 mechanical=? tensile=rp354 | hollow-mechanical-outside not-judged | Rp0.2 without a summary |
  | S355J2H HollowSection – standard=EN_10210-1 rm=450 | not-judged             | no thickness: the laxest range |
  | S355J2H HollowSection – standard=EN_10210-1 reH=295 | not-judged             | no thickness: the laxest band |
  | S355J2H HollowSection – standard=EN_10210-1 reH=294 | hollow-mechanical-outside not-judged | no thickness: the laxest band |
  | S355J2H HollowSection – standard=EN_10210-1 a=18 | not-judged             | no thickness: the laxest band |
  | S235JRH HollowSection – standard=EN_10210-1 C=0.20 kv=? kt=? | not-judged             | no thickness: the laxest band |
  | S355J2H HollowSection 120.5 standard=EN_10210-1 P=0.20 reH=100 rm=300 a=5 kv=5 | hollow-not-checked     | EN 10210 ends at 120 mm |
  | S235JRH HollowSection 16 standard=EN_10210-1 kv=20 kt=? | hollow-to-be-judged    | a value without its temperature |
  | S235JRH HollowSection 16 standard=EN_10210-1 kv=? kt=0 | not-judged             | a temperature without its value |
  | S275J0H HollowSection 10 standard=EN_10210-1 V=? statedCev=0.42 kt=0 inspectionDocument=2.2 | hollow-chemistry-outside | a 2.2 with a stated one |
  | S275J0H HollowSection 10 standard=EN_10210-1 C=0.20 Mn=1.5 kt=0 inspectionDocument=2.2 | hollow-chemistry-outside | a 2.2 that shows all seven |
  | S355J2H HollowSection 10 standard=EN_10210-1 N=0.030 Al=0.005 | –                      | no limit for J2 |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.24 analysis=product | hollow-to-be-judged    | a product analysis may be higher |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=355 tensile=rp300 | –                      | ReH is stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rp354;rp400 | hollow-mechanical-outside | each test |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=? statedCev=0.46 | hollow-chemistry-outside not-judged | as stated |
  | S355J2H HollowSection – standard=EN_10210-1 V=? statedCev=0.53 | not-judged             | no thickness: the laxest band |
  | S355J2H HollowSection – standard=EN_10210-1 V=? statedCev=0.54 | hollow-chemistry-outside not-judged | no thickness: the laxest band |
  | S355J2H HollowSection 100 standard=EN_10210-1 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.475 | –                      | computed 0.495 |
  | S355J2H HollowSection 100 standard=EN_10210-1 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.515 | –                      | computed 0.495 |
  | S355J2H HollowSection 120.5 standard=EN_10210-1 C=0.60 rm=800 tensile=rm800 | hollow-not-checked     | EN 10210 ends at 120 mm |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=rm470;rm630 | –              | 5 |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rm500 | not-judged     | no yield strength |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.027 Al=0.005 kt=0 | hollow-to-be-judged | the laxest figure |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.42 | not-judged      | without V 0.45 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.5 analysis=product | hollow-to-be-judged not-judged | without V 0.46 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cu=? V=0.5 C=0.20 Mn=1.3 | hollow-chemistry-outside hollow-to-be-judged not-judged | without Cu 0.52 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cu=? Ni=3 C=0.10 Mn=0.9 | hollow-chemistry-outside hollow-to-be-judged not-judged | without Cu 0.46 |`)

/** The pack for hollow sections has the same rules on Charpy tests, up to 120 mm and with one tag for tests too warm. */
const hollowCharpy = mechanical
  .filter(([text]) => /^S355(J0|J2|K2) Plate (?!1\d\d |–)\S+ +(tests|kv|kt)=/.test(text!))
  .map(([text, tags, source]) => [
    `${text!.replace(/^(\S+) Plate/, '$1H HollowSection')} standard=EN_10219-1`,
    tags!
      .replace(source!.includes('too warm') ? 'charpy-to-be-judged' : 'nothing', '')
      .replace('charpy-outside-limits', 'hollow-mechanical-outside')
      .replace('charpy-to-be-judged', 'hollow-to-be-judged')
      .trim(),
    source!,
  ])

const plausibility = rowsOf(`
  | S355J2 Plate 20                              | –                      | sound |
  | S355J2 Plate 20 N=0.1                        | –                      | house rule |
  | S355J2 Plate 20 N=0.12                       | implausible            | a misplaced point |
  | 1.4462 Plate 20 N=0.17 Cr=22                 | –                      | stainless |
  | S355J2 Plate 20 N=52                         | implausible            | ppm |
  | S355J2 Plate 20 C=2                          | –                      | house rule |
  | S355J2 Plate 20 C=16                         | implausible            | hundredths |
  | S355J2 Plate 20 P=0.5                        | –                      | house rule |
  | S355J2 Plate 20 C=2.1                        | implausible            | a misplaced point |
  | S355J2 Plate 20 P=12                         | implausible            | thousandths |
  | S355J2 Plate 20 S=8                          | implausible            | thousandths |
  | S355J2 Plate 20 Mn=90 Si=20                  | implausible            | above 100 % |
  | S355J2 Plate 20 Fe=98.2                      | –                      | 99.5 % |
  | S355J2 Plate 20 Fe=99.2                      | implausible            | above 100 % |
  | S355J2 Plate 20 reH=520 rm=380               | implausible            | swapped |
  | S355J2 Plate 20 reH=500 rm=500               | –                      | equal |
  | S355J2 Plate 20 a=60                         | –                      | house rule |
  | S355J2 Plate 20 a=61                         | implausible            | reduction of area |
  | 1.4301 Plate 20 Cr=18 Ni=8 a=62              | –                      | stainless steel stretches further |
  | S355J2 Plate 20 Cr=10.4 a=62                 | implausible            | not stainless |
  | S355J2 Plate 20 Al=2                         | –                      | house rule |
  | S355J2 Plate 20 Al=2.1                       | implausible            | a misplaced point |
  | 1.4742 Plate 20 Al=2.1 Cr=18                 | –                      | heat-resisting steel |
  | S355J2 Plate 20 Al=32                        | implausible            | thousandths |
  | S355J2 Plate 20 B=3                          | implausible            | ppm |
  | S355J2 Plate 20 B=0.2                        | implausible            | a misplaced point |
  | S355J2 Plate 20 Ca=18                        | implausible            | ppm |
  | S355J2 Plate 20 Ca=0.1                       | –                      | house rule |
  | S355J2 Plate 20 kt=40                        | –                      | house rule |
  | S355J2 Plate 20 kt=41                        | implausible            | an energy |
  | S355J2 Coil 30                               | –                      | house rule |
  | S355J2 Coil 31                               | implausible            | too thick |
  | S355J2 HollowSection 121                     | implausible            | too thick |
  | S355J2 Section 151                           | implausible            | too thick |
  | S355J2 Plate 20 P=0.51                       | implausible            | house rule |
  | S355J2 Plate 20 S=0.5                        | –                      | house rule |
  | S355J2 Plate 20 S=0.51                       | implausible            | house rule |
  | S355J2 Plate 20 B=0.1                        | –                      | house rule |
  | S355J2 Plate 20 Ca=0.11                      | implausible            | house rule |
  | S355J2 Plate 20 Cr=10.5 a=62                 | –                      | stainless from 10.5 % of chromium on |
  | S355J2 Plate 20 Cr=? a=62                    | implausible            | not stainless, as far as one knows |
  | S355J2 Plate 20 chemistry=? a=62             | implausible            | not stainless, as far as one knows |
  | S355J2 HollowSection 120                     | –                      | house rule |
  | S355J2 Section 150                           | –                      | house rule |
  | S355J2 Plate 20 Fe=98.7                      | –                      | 100.0 % |
  | S355J2 Plate 20 Fe=98.2 Si=1                 | implausible            | above 100 % with Si |
  | S355J2 Plate 20 Fe=98.2 Cr=1                 | implausible            | above 100 % with Cr |
  | S355J2 Plate 20 Fe=98.2 Ni=1                 | implausible            | above 100 % with Ni |
  | S355J2 Plate 20 Fe=98.2 Mo=1                 | implausible            | above 100 % with Mo |
  | S355J2 Plate 20 Fe=98.2 Cu=1                 | implausible            | above 100 % with Cu |
  | S355J2 Plate 20 Fe=98.2 Al=1                 | implausible            | above 100 % with Al |
  | S355J2 Plate 20 Fe=98.2 V=1                  | implausible            | above 100 % with V |
  | S355J2 Plate 20 Fe=98.2 Nb=1                 | implausible            | above 100 % with Nb |
  | S355J2 Plate 20 Fe=98.2 Ti=1                 | implausible            | above 100 % with Ti |
  | S355J2 Plate 20 Fe=98.2 W=1                  | implausible            | above 100 % with W |
  | S355J2 Plate 20 Fe=98.2 Co=1                 | implausible            | above 100 % with Co |
  | S355J2 Plate 20 Fe=98.2 Mn=2                 | implausible            | above 100 % with Mn |
  | S355J2 Plate 20 Fe=98.2 C=1                  | implausible            | above 100 % with C |
  | S355J2 Plate 20 Fe=98.5 P=0.4                | implausible            | above 100 % with P |
  | S355J2 Plate 20 Fe=98.5 S=0.4                | implausible            | above 100 % with S |
  | S355J2 Plate 20 Fe=98.7 N=0.09               | implausible            | above 100 % with N |
  | S355J2 Plate 20 rm=200 reH=?                 | –                      | house rule |
  | S355J2 Plate 20 rm=199 reH=?                 | implausible            | ksi or kgf/mm² |
  | 1.4301 Plate 20 rm=55 reH=?                  | implausible            | ksi or kgf/mm², whatever the steel |
  | S355J2 Plate 20 C=0 Mn=0 Si=0 P=0 S=0        | implausible            | zeros in place of missing values |
  | S355J2 Plate 20 C=0                          | implausible            | no steel without carbon |
  | S355J2 Plate 20 C=0.001                      | –                      | very little carbon |
  | S355J2 Plate 20 Mn=0                         | implausible            | no structural steel without manganese |
  | S355J2 Plate 20 Mn=0.01                      | –                      | very little manganese |
  | S355J2 Plate 20 Si=3                         | –                      | house rule |
  | S355J2 Plate 20 tests=60/60/60@-20w10.5      | implausible            | wider than a full test piece |
  | S355J2 Plate 20 tests=60/60/60@              | –                      | no temperature to compare |
  | S355J2 Plate 20 Mn=0.001                     | –                      | hardly any manganese |
  | S355J2 Plate 20 C=? Si=? Mn=? P=? S=? Cr=? Ni=? Mo=? Cu=? Al=? V=? N=? Fe=100.0495 | – | 100.0 % |
  | S355J2 Plate 20 C=? Si=? Mn=? P=? S=? Cr=? Ni=? Mo=? Cu=? Al=? V=? N=? Fe=100.05 | implausible | 100.1 % |
  | S355J2 Plate 20 Si=3.1                       | implausible            | a misplaced point |
  | 1.4301 Plate 20 Cr=18 Si=3.1                 | –                      | stainless |
  | S355J2 Plate 20 Si=45                        | implausible            | hundredths |
  | S355J2 Plate 20 Mn=3                         | –                      | house rule |
  | S355J2 Plate 20 Mn=3.1                       | implausible            | a misplaced point |
  | 1.4301 Plate 20 Cr=18 Mn=3.1                 | –                      | stainless |
  | S355J2 Plate 20 Mn=45                        | implausible            | hundredths |
  | S355J2 Plate 20 Cu=3                         | –                      | house rule |
  | S355J2 Plate 20 Cu=3.1                       | implausible            | a misplaced point |
  | 1.4301 Plate 20 Cr=18 Cu=3.1                 | –                      | stainless |
  | S355J2 Plate 20 Cu=45                        | implausible            | hundredths |
  | S355J2 Plate 20 Nb=1                         | –                      | house rule |
  | S355J2 Plate 20 Nb=1.1                       | implausible            | a misplaced point |
  | 1.4301 Plate 20 Cr=18 Nb=1.1                 | –                      | stainless |
  | S355J2 Plate 20 Nb=22                        | implausible            | thousandths |
  | S355J2 Plate 20 Ti=1                         | –                      | house rule |
  | S355J2 Plate 20 Ti=1.1                       | implausible            | a misplaced point |
  | 1.4301 Plate 20 Cr=18 Ti=1.1                 | –                      | stainless |
  | S355J2 Plate 20 Ti=22                        | implausible            | thousandths |
  | S355J2 Plate 20 V=1                         | –                      | house rule |
  | S355J2 Plate 20 V=1.1                       | implausible            | a misplaced point |
  | 1.4301 Plate 20 Cr=18 V=1.1                 | –                      | stainless |
  | S355J2 Plate 20 V=22                        | implausible            | thousandths |
  | S355J2 Plate 20 tests=60/60/60@40            | –                      | house rule |
  | S355J2 Plate 20 tests=60/60/60@-20;60/60/60@60 | implausible          | the energy, or another test |
  | S355J2 Plate 20 tests=60/60/60@-20w10        | –                      | a full test piece |
  | S355J2 Plate 20 tests=60/60/60@-20w75        | implausible            | 7.5 |
  | S355J2 Plate 7.5 tests=60/60/60@-20w7.5      | –                      | as thick as the product |
  | S355J2 Plate 7.4 tests=60/60/60@-20w7.5      | implausible            | wider than the product is thick |
  | S355J2 – – tests=60/60/60@-20w7.5            | –                      | nothing to compare |
  | S355J2 Plate 20 tensile=re500+rm500          | –                      | equal |
  | S355J2 Plate 20 tensile=rm500+re501          | implausible            | swapped |
  | S355J2 Plate 20 tensile=rp500+rm500          | –                      | equal |
  | S355J2 Plate 20 tensile=rm500+rp501          | implausible            | swapped |
  | S355J2 Plate 20 tensile=re480;rm470          | –                      | of two tests |
  | S355J2 Plate 20 tensile=a60;rm500            | –                      | house rule |
  | S355J2 Plate 20 tensile=a25;a61              | implausible            | reduction of area |
  | 1.4301 Plate 20 Cr=18 Ni=8 tensile=a62       | –                      | stainless steel stretches further |
  | S355J2 Plate 20 C=? Mn=?                     | –                      | nothing to compare |
  | S355J2 Plate 20 Si=0 P=0 S=0 N=0 V=0         | –                      | below what the mill can measure |
  | S355J2 Plate 20 chemistry=?                  | –                      | nothing to compare |
  | S355J2 Plate 20 mechanical=?                 | –                      | nothing to compare |
  | S355J2 Plate 20 reH=?                        | –                      | nothing to compare |
  | S355J2 Plate 20 rm=?                         | –                      | nothing to compare |
  | S355J2 Plate 20 a=? kt=?                     | –                      | nothing to compare |
  | S355J2 – –                                   | –                      | nothing to compare |`)

const orders = rowsOf(`
  | EXC1 2.2 S355JR                              | demand-too-low         | 3, 2018: every class |
  | EXC2 2.2 S355J2                              | demand-too-low         | 3, 2018 |
  | EXC2 3.1 S355J2                              | –                      | 3, 2018 |
  | EXC2 2.2 S235JR S355J2                       | demand-too-low         | the line that demands most |
  | EXC2 2.2 S235JR                              | –                      | 3, 2018 |
  | EXC2 2.2 S275J2                              | demand-to-be-judged    | impact tested below 0 °C |
  | EXC2 2.1 S235JR                              | demand-to-be-judged    | 2.1 carries no results |
  | –    2.2 S355J2                              | demand-to-be-judged no-execution-class | no structure is named |
  | EXC3 3.1 S355J2                              | trace-every-piece      | EXC3 and EXC4 |
  | EXC2 –   S355J2                              | demand-to-be-judged    | no document is named |
  | EXC2 2.2 P265GH                              | demand-not-checked     | cannot be read |
  | EXC2 2.2 S235                                | demand-not-checked     | no quality: it may be J2 |
  | EXC2 2.2 S275N                               | demand-not-checked     | 3: 2.2 only for JR and J0 |
  | EXC2 3.1 S275N                               | –                      | 3.1 is safe for all |
  | EXC2 3.1 P265GH                              | –                      | 3.1 is safe for all |
  | EXC3 2.2 S355J2                              | demand-too-low trace-every-piece | EXC3 |
  | EXC4 2.2 S355J2                              | demand-too-low trace-every-piece | EXC4 |
  | EXC2 2.2 S235JR P265GH                       | demand-not-checked     | one line cannot be read |
  | EXC2 2.2 S275N S235JR                        | demand-not-checked     | one line is not known |
  | EXC2 2.2 S235JR S275J2                       | demand-to-be-judged    | the line that demands most |
  | EXC2 3.1 S275J2                              | –                      | 3 |
  | –    2.2 S235JR                              | no-execution-class     | enough in every class |
  | –    3.1 S355J2                              | no-execution-class     | enough in every class |
  | EXC1 2.2 S355JR edition=2008                 | –                      | 2008: 2.2 in EXC1 |
  | EXC2 2.2 S355JR edition=2008                 | demand-too-low         | 2008: 3.1 from EXC2 on |
  | EXC2 2.2 S235JR S355J0 edition=2008          | demand-too-low         | 2008: the line that demands most |
  | EXC2 3.1 S355JR edition=2008                 | –                      | 2008 |
  | EXC2 2.2 S235JR edition=2008                 | –                      | 2008 |
  | EXC1 2.1 S355JR edition=2008                 | demand-to-be-judged demand-too-low | 2008: results in every class |
  | EXC1 2.1 S235JR edition=2008                 | demand-to-be-judged    | 2.1 carries no results |
  | EXC1 2.2 S355J2 edition=2008                 | demand-too-low         | 2008: J2 needs 3.1 |
  | –    2.2 S355JR edition=2008                 | no-execution-class     | 2008: it may be EXC1 |
  | –    2.1 S355JR edition=2008                 | demand-to-be-judged no-execution-class | 2.1 carries no results |
  | –    2.2 S355J2 edition=2008                 | demand-to-be-judged no-execution-class | no structure is named |`)

function orderOf(text: string) {
  const [executionClass, required, ...grades] = text.split(/\s+/) as [string, string, ...string[]]
  return orderSubject({
    executionClass: executionClass === '–' ? null : (executionClass as 'EXC1'),
    requiredInspectionDocument: required === '–' ? null : (required as '2.1'),
    lineItems: grades.map((grade, index) => lineItem(index + 1, { grade: grade === '–' ? null : grade })),
  })
}

/** `edition=2008` in the text is the chosen edition of EN 1090-2. */
function judgedBy(pack: string, text: string, subjectOf: (text: string) => RuleSubject) {
  const [chosen, edition] = / edition=(\d+)/.exec(text) ?? ['']
  const subject = subjectOf(text.replace(chosen, ''))
  return evaluateRulePack(packOf(pack), subject, { parameters: edition ? { edition } : {} })
}

const tables = [
  ['en10025-2-chemistry', chemistry, certificateOf],
  ['en10025-2-mechanical', mechanical, certificateOf],
  ['en1090-2-inspection-documents', documents, certificateOf],
  ['completeness', completeness, certificateOf],
  ['completeness', lines, orderOf],
  ['hollow-sections', [...hollow, ...hollowCharpy], certificateOf],
  ['plausibility', plausibility, certificateOf],
  ['en1090-2-inspection-documents', orders, orderOf],
] as const

describe.each(tables)('%s judges', (pack, rows, subjectOf) => {
  it.each(rows as [string, string, string][])('%s: %s (%s)', (values, expected) => {
    const matched = judgedBy(pack, values, subjectOf).filter(({ result }) => result === 'matched')
    const tags = new Set(matched.map(({ tag }) => tag))
    expect([...tags].sort()).toEqual(expected === '–' ? [] : expected.split(' ').sort())
  })
})

it('has a row that matches each rule, and a row that does not', () => {
  const results = new Set(
    tables.flatMap(([pack, rows, subjectOf]) =>
      rows.flatMap(([values]) =>
        judgedBy(pack, values!, subjectOf).map(({ ruleId, result }) => `${ruleId} ${result}`),
      ),
    ),
  )
  const rules = packs.flatMap(({ document }) => document.rules.map(({ ruleId }) => ruleId))
  for (const result of ['matched', 'not-matched'])
    expect(
      rules.filter((ruleId) => !results.has(`${ruleId} ${result}`)),
      result,
    ).toEqual([])
})

describe('above 250 mm', () => {
  it.each([
    ['reH=264', true],
    ['reH=265', false],
    ['reH=? tensile=rp264', true],
    ['reH=? tensile=rp265', false],
    ['reH=? tensile=rp264;rp300', true],
  ])('the yield strength of S355JR by %s is below the minimum: %s', (value, isLow) => {
    const subject = certificateOf(`S355JR Plate 300 ${value}`)
    const low = evaluateRulePack(packOf('en10025-2-mechanical'), subject).filter(
      ({ ruleId, result }) => result === 'matched' && ruleId.endsWith('strength-low-above-250-mm'),
    )
    expect(low).toHaveLength(isLow ? 1 : 0)
  })
})

describe('the pack for slips', () => {
  it.each([
    ...[
      'N=9.9',
      'C=4.9',
      'P=0.51',
      'P=4.9',
      'S=0.51',
      'S=0.9',
      'Al=9.9',
      'B=0.49',
      'Ca=0.11',
      'Ca=0.49',
      'Si=9.9',
      'Mn=29.9',
      'Cu=9.9',
      'Nb=4.9',
      'Ti=4.9',
      'V=4.9',
    ].map((value) => [value, 'too-much'] as const),
    ...[
      'N=10',
      'C=5',
      'P=5',
      'S=1',
      'Al=10',
      'B=0.5',
      'Ca=0.5',
      'Si=10',
      'Mn=30',
      'Cu=10',
      'Nb=5',
      'Ti=5',
      'V=5',
    ].map((value) => [value, 'implausible'] as const),
  ])('takes %s for a slip of the kind %s', (value, kind) => {
    const outcomes = evaluateRulePack(packOf('plausibility'), certificateOf(`S355J2 Plate 20 ${value}`))
    const found = outcomes.filter(({ result }) => result === 'matched').map(({ ruleId }) => ruleId)
    expect(found).toEqual([expect.stringMatching(new RegExp(`^[a-z]+-${kind}$`))])
  })
})

describe('a pack', () => {
  const outcomeOf = (pack: string, ruleId: string, text: string, packs: readonly string[] = []) =>
    evaluateRulePack(packOf(pack), certificateOf(text), { packs }).find((found) => found.ruleId === ruleId)

  it('says how much of an element a structural steel has at most', () => {
    expect(outcomeOf('plausibility', 'nitrogen-too-much', 'S355J2 Plate 20 N=0.12')?.explanation).toBe(
      '0.12 % of nitrogen is more than the 0.1 % that a structural steel has at most. Compare the record with the certificate: is the decimal point misplaced?',
    )
  })

  it('is silent about steels that another pack of the company covers', () => {
    const hollow = 'S355J2H HollowSection 8 standard=EN_10210-1'
    const ofChemistry = (packs: string[]) =>
      outcomeOf('en10025-2-chemistry', 'chemistry-of-another-steel', hollow, packs)?.result
    expect([ofChemistry([]), ofChemistry(['hollow-sections'])]).toEqual(['matched', 'not-matched'])
    const ofHollow = (packs: string[]) =>
      outcomeOf('hollow-sections', 'hollow-not-of-these-tables', 'S355J2 Plate 20', packs)?.result
    expect([ofHollow([]), ofHollow(['en10025-2-mechanical'])]).toEqual(['matched', 'not-matched'])
  })

  it.each(['en10025-2-chemistry', 'en10025-2-mechanical'])(
    'for hollow sections is silent about other steels beside %s, but not about other hollow sections',
    (other) => {
      const said = (rule: string, text: string, packs: string[]) =>
        outcomeOf('hollow-sections', `hollow-${rule}`, text, packs)?.result
      for (const [rule, text] of [
        ['not-of-these-tables', 'S355J2 Plate 20'],
        ['grade-unreadable', 'P265GH Plate 20'],
        ['grade-contradictory', 'S355J2+AR Plate 20 deliveryCondition=+N'],
        ['delivery-condition-unknown', 'S355J2 Plate 20 deliveryCondition=NR'],
      ] as const)
        expect([said(rule, text, []), said(rule, text, [other])]).toEqual(['matched', 'not-matched'])
      const fineGrain = 'S420NH HollowSection 10 standard=EN_10210-1'
      expect(said('not-of-these-tables', fineGrain, [other])).toBe('matched')
    },
  )

  it('names the statements that contradict each other, and the delivery condition that it does not know', () => {
    const said = (rule: string, text: string) =>
      outcomeOf('en10025-2-chemistry', `chemistry-${rule}`, text)?.explanation
    expect(said('grade-contradictory', 'S355J2+AR Plate 20 deliveryCondition=+N')).toBe(
      'These statements about the grade contradict each other: S355J2+AR and +N. Compare the record with the certificate, and ask the mill which of them is right.',
    )
    expect(said('delivery-condition-unknown', 'S355J2 Plate 20 deliveryCondition=NR')).toMatch(/: NR\. It/)
    expect(said('grade-unreadable', 'P265GH/1.4301 Plate 20')).toMatch(/steel: P265GH, 1\.4301\. Compare/)
  })

  it.each([
    ['en10025-2-chemistry', /stainless/],
    ['en10025-2-mechanical', /stainless/],
    ['hollow-sections', /Fine-grain.* no confirmed figures/],
    ['en10025-2-chemistry', /NR/],
    ['en10025-2-mechanical', /NR/],
    ['hollow-sections', /NR/],
  ])('%s says that it does not cover %s', (pack, words) => {
    expect(packOf(pack).document.doesNotCover).toContainEqual(expect.stringMatching(words))
  })

  it('names every missing field of what it could not judge', () => {
    const found = outcomeOf('en10025-2-chemistry', 'not-judged', 'S355J2 Plate – V=? Mo=?')
    expect(found?.values()).toEqual({
      rules: [
        'carbon-equivalent-above-raised-limit',
        'carbon-equivalent-above-limit',
        'chemistry-outside-the-tables',
      ],
      missing: ['certificate.chemistry.Mo', 'certificate.chemistry.V', 'certificate.thicknessMm'],
    })
  })
})
