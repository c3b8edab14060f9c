import { rowsOf } from '../markdown.ts'

/** The pack for hollow sections on certificates. Columns: values, expected tags, source. */
export const hollow = rowsOf(`
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.28          | hollow-chemistry-outside | above every product analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 Si=0.57         | hollow-to-be-judged    | 5 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Si=0.61         | hollow-chemistry-outside | above every product analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 Mn=1.81 C=0.05  | hollow-chemistry-outside | above every product analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 P=0.031         | hollow-to-be-judged    | 5 |
  | S355J2H HollowSection 10 standard=EN_10219-1 S=0.031 | hollow-to-be-judged | 5 |
  | S355J2H HollowSection 10 standard=EN_10219-1 S=0.031 analysis=ladle | hollow-chemistry-outside | 5 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.019 kt=0 | hollow-chemistry-outside | aluminium below 0.020 % |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.020 kt=0 | hollow-to-be-judged | aluminium binds some |
  | S355J0H HollowSection 10 standard=EN_10219-1 N=0.010 Al=0.005 kt=0 analysis=ladle | hollow-to-be-judged hollow-chemistry-outside | 5 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.016 Al=0.030 | hollow-to-be-judged   | less than twice the nitrogen |
  | S355J2H HollowSection 20 standard=EN_10210-1 V=? statedCev=0.47 | –                   | as stated |
  | S355J2H HollowSection 3 standard=EN_10210-1 rm=509           | hollow-mechanical-outside | 5: thin up to 3 mm |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=rm630   | –                      | 5, each test |
  | S355J2H HollowSection 10 standard=EN_10219-1 reH=? tensile=rp354 | hollow-mechanical-outside | Rp0.2 stands for ReH |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=rm469   | hollow-mechanical-outside | 5, whatever the summary says |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=re355   | –                      | 5, each test |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=re354   | hollow-mechanical-outside | 5, whatever the summary says |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=354 tensile=re354 | hollow-mechanical-outside | 5, once |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=re400;rp354 | hollow-to-be-judged | Rp0.2 of a test without ReH |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=re400;rp355 | –                  | Rp0.2 of a test without ReH |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=a21l    | hollow-mechanical-outside | 5, lengthwise |
  | S355J2H HollowSection 10 standard=EN_10210-1 a=19            | hollow-mechanical-outside | across 20 |
  | S355J2H HollowSection 41 standard=EN_10219-1                 | hollow-not-checked     | EN 10219 ends at 40 mm |
  | S420NH HollowSection 10 standard=EN_10210-1                  | hollow-not-checked     | no figures at hand |
  | S355J2 Plate 20                              | hollow-not-checked     | no other pack covers it |
  | P265GH Plate 20                              | hollow-not-checked     | cannot be read |
  | S355J2H+AR HollowSection 10 standard=EN_10210-1 deliveryCondition=+N | hollow-not-checked | two delivery conditions contradict each other |
  | S355J2H HollowSection 10 standard=EN_10210-1 deliveryCondition=NR P=0.20 | hollow-chemistry-outside hollow-not-checked | the limits are applied all the same |
  | S355J2H HollowSection 20 standard=EN_10210-1_/_EN_10219-1 C=0.20 Mn=1.5 | hollow-to-be-judged | CEV 0.46: EN 10210 has 0.47, EN 10219 has 0.45 |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.22 Mn=1.5 analysis=product | hollow-to-be-judged | CEV 0.48 of the product, not of the cast |
  | S235JRH HollowSection 16 standard=EN_10210-1 tests=60/60/60@19;20/20/20@20 | hollow-to-be-judged    | JR at 20 °C |
  | S275J0H HollowSection 10 standard=EN_10210-1 V=? inspectionDocument=2.2 | –                      | a 2.2 of S275 need not show all seven |
  | S275J0H HollowSection 10 standard=EN_10210-1 V=?             | not-judged             | a 3.1 shows all seven |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.5 | hollow-chemistry-outside not-judged | without V 0.46 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.5 analysis=product | hollow-to-be-judged not-judged | of the product, without V 0.46 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.3 statedCev=0.405 | –    | without V 0.425 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.3 statedCev=0.404 | hollow-to-be-judged | without V 0.425: it cannot be less |
  | S355J2H HollowSection 10 standard=EN_10210-1 chemistry=? statedCev=0.46 | hollow-chemistry-outside not-judged | no analysis at all: as stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.239 | –                      | computed 0.259 |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.238 | hollow-to-be-judged    | differs by more than 0.02 |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.279 | –                      | computed 0.259 |
  | S355J2H HollowSection – standard=EN_10210-1 rm=680           | not-judged             | no thickness: the laxest range |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rp355;rm550 | –                      | one test of two has Rp0.2 |
  | S355J2H HollowSection – standard=EN_10210-1 rm=450 | not-judged             | no thickness: the laxest range |
  | S235JRH HollowSection 16 standard=EN_10210-1 kv=20 kt=? | hollow-to-be-judged    | a value without its temperature |
  | S275J0H HollowSection 10 standard=EN_10210-1 C=0.20 Mn=1.5 kt=0 inspectionDocument=2.2 | hollow-chemistry-outside | a 2.2 that shows all seven |
  | S355J2H HollowSection 10 standard=EN_10210-1 N=0.030 Al=0.005 | hollow-to-be-judged | no limit for J2, but nothing binds it |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.24 analysis=product | hollow-to-be-judged    | a product analysis may be higher |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=355 tensile=rp300 | –                      | ReH is stated |
  | S355J2H HollowSection 120.5 standard=EN_10210-1 C=0.60 rm=800 tensile=rm800 | hollow-not-checked     | EN 10210 ends at 120 mm |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rm500 | not-judged     | no yield strength |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.027 Al=0.005 kt=0 | hollow-to-be-judged | the laxest figure |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.42 | not-judged      | without V 0.45 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cu=? V=1 C=0.10 Mn=0.9 | hollow-chemistry-outside hollow-to-be-judged not-judged | without Cu 0.46 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.26 Mn=1.8 analysis=product | hollow-chemistry-outside hollow-to-be-judged not-judged | without V 0.57 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cu=? Ni=3 C=0.10 Mn=0.9 | hollow-chemistry-outside hollow-to-be-judged not-judged | without Cu 0.46 |
  | S355J2H HollowSection 10 B=0.0007 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 B=0.0008 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Cr=0.29 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Cr=0.30 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Mo=0.07 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Mo=0.08 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Nb=0.05 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Nb=0.06 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Ni=0.29 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Ni=0.30 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Ti=0.04 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Ti=0.05 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 V=0.10 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Al=0.29 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Al=0.30 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Bi=0.09 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Bi=0.10 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Co=0.29 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Co=0.30 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Pb=0.39 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Pb=0.40 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Se=0.09 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Se=0.10 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Te=0.09 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Te=0.10 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 W=0.29 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 W=0.30 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Zr=0.04 standard=EN_10219-1 | – | EN 10020: unalloyed |
  | S355J2H HollowSection 10 Zr=0.05 standard=EN_10219-1 | hollow-to-be-judged | EN 10020: alloyed |
  | S355J2H HollowSection 10 Al=0.0194 standard=EN_10219-1 | hollow-to-be-judged | fully killed: too little binds nitrogen |
  | S355J2H HollowSection 10 Al=0.0195 standard=EN_10219-1 | – | half up: 0.020 |
  | S355J2H HollowSection 10 Al=0.003 Nb=0.015 standard=EN_10219-1 | – | niobium binds it |
  | S355J2H HollowSection 10 Al=0.003 Nb=0.014 V=0.019 Ti=0.019 standard=EN_10219-1 | hollow-to-be-judged | each of them is too low |
  | S355J2H HollowSection 10 Al=0.003 V=0.02 standard=EN_10219-1 | – | vanadium binds it |
  | S355J2H HollowSection 10 Al=0.003 Ti=0.02 standard=EN_10219-1 | – | titanium binds it |
  | S355J2H HollowSection 10 Al=0.003 solubleAluminium=0.015 standard=EN_10219-1 | – | soluble aluminium |
  | S355J2H HollowSection 10 Al=? solubleAluminium=0.014 standard=EN_10219-1 | hollow-to-be-judged | soluble aluminium |
  | S355J2H HollowSection 10 Al=? standard=EN_10219-1 | – | aluminium is not stated |
  | S355J2H HollowSection 10 standard=EN_10219-1 V=? statedCev=0.45 | – | an option of EN 10219 |
  | S355J2H HollowSection 10 standard=EN_10219-1 V=? statedCev=0.46 | hollow-to-be-judged | an option of EN 10219 |
  | S355J2H HollowSection 8 standard=EN_10219-1 tensile=a14.5l | hollow-mechanical-outside | no note of EN 10219 admits it |
  | S355J2H HollowSection 8 standard=EN_10219-1 tensile=a15l | hollow-to-be-judged | notes for thin and compact sections |
  | S355J2H HollowSection 20 standard=EN_10210-1 a=20 tensile=a20t | – | across |
  | S355J2H HollowSection 20 standard=EN_10210-1 a=20 tensile=a20l | hollow-mechanical-outside hollow-to-be-judged | lengthwise |
  | S355J2H HollowSection 16 standard=EN_10210-1 reH=? tensile=rl355 | – | ReL is never above ReH |
  | S355J2H HollowSection 16 standard=EN_10210-1 reH=? tensile=rl354 | hollow-to-be-judged | ReH may be higher |`)
