import { rowsOf } from '../markdown.ts'

/** The pack for hollow sections on certificates. Columns: values, expected tags, source. */
export const hollow = rowsOf(`
  | S355J2H HollowSection 10 standard=EN_10210-1                 | –                      | sound |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.24          | hollow-to-be-judged    | a product analysis may be higher |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.24 analysis=ladle | hollow-chemistry-outside | 5, cast analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.28          | hollow-chemistry-outside | above every product analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 Si=0.57         | hollow-to-be-judged    | 5 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Si=0.61         | hollow-chemistry-outside | above every product analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 Mn=1.81 C=0.05  | hollow-chemistry-outside | above every product analysis |
  | S355J2H HollowSection 10 standard=EN_10210-1 P=0.031         | hollow-to-be-judged    | 5 |
  | S355J2H HollowSection 10 standard=EN_10210-1 P=0.20          | hollow-chemistry-outside | never only a flag |
  | S355J2H HollowSection 10 standard=EN_10219-1 S=0.031 | hollow-to-be-judged | 5 |
  | S355J2H HollowSection 10 standard=EN_10219-1 S=0.031 analysis=ladle | hollow-chemistry-outside | 5 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.010 Al=0.005 | hollow-to-be-judged   | 5 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.027 Al=0.005 kt=0 | hollow-to-be-judged | the laxest of EN 10025-2 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.005 kt=0 | hollow-chemistry-outside | above every figure |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.005 Ti=0.02 kt=0 | hollow-to-be-judged | Ti binds 0.0058 % |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.019 kt=0 | hollow-chemistry-outside | aluminium below 0.020 % |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.028 Al=0.020 kt=0 | hollow-to-be-judged | aluminium binds some |
  | S355J0H HollowSection 10 standard=EN_10219-1 N=0.009 Al=0.005 kt=0 analysis=ladle | hollow-to-be-judged | 5, but not fully killed |
  | S355J0H HollowSection 10 standard=EN_10219-1 N=0.010 Al=0.005 kt=0 analysis=ladle | hollow-to-be-judged hollow-chemistry-outside | 5 |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.010 Al=0.030 | –                     | aluminium binds it |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.016 Al=0.030 | hollow-to-be-judged   | less than twice the nitrogen |
  | S275J0H HollowSection 10 standard=EN_10219-1 C=0.20 Mn=1.26 Cr=0 Mo=0 V=0 Ni=0 Cu=0 | hollow-to-be-judged | CEV 0.41 |
  | S275J0H HollowSection 10 standard=EN_10210-1 C=0.20 Mn=1.26 Cr=0 Mo=0 V=0 Ni=0 Cu=0 | – | EN 10210: 0.41 |
  | S355J2H HollowSection 20 standard=EN_10210-1 V=? statedCev=0.48 | hollow-chemistry-outside | as stated |
  | S355J2H HollowSection 20 standard=EN_10210-1 V=? statedCev=0.47 | –                   | as stated |
  | S355J2H HollowSection 16 standard=EN_10210-1 reH=354         | hollow-mechanical-outside | 5 |
  | S355J2H HollowSection 3 standard=EN_10210-1 rm=509           | hollow-mechanical-outside | 5: thin up to 3 mm |
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
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=a20     | –                      | not below the one across |
  | S355J2H HollowSection 10 standard=EN_10210-1 tensile=a19     | hollow-mechanical-outside | below the one across |
  | S355J2H HollowSection 10 standard=EN_10219-1 tensile=a19l    | hollow-to-be-judged    | footnotes reduce it |
  | S355J2H HollowSection 10 standard=EN_10210-1 a=21            | hollow-to-be-judged    | lengthwise 22 |
  | S355J2H HollowSection 10 standard=EN_10210-1 a=19            | hollow-mechanical-outside | across 20 |
  | S355J2H HollowSection 10 standard=EN_10219-1 a=18            | hollow-to-be-judged    | footnotes reduce it |
  | S355J2H HollowSection 16 standard=EN_10219-1 kv=26           | hollow-mechanical-outside | 5 |
  | S355J2H HollowSection 12 standard=EN_10219-1 kv=20           | hollow-to-be-judged    | reduced test pieces |
  | S355K2H HollowSection 16 standard=EN_10219-1 kv=27 kt=-30    | –                      | 27 J at −30 °C |
  | S355J0H HollowSection 16 standard=EN_10219-1 kt=20           | hollow-mechanical-outside | too warm |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=27/26/27@-20 | –                     | average 26.7, one below |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=40/30/19@-20 | –                     | 70 % of 27 is 18.9 |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=45/30/18@-20 | hollow-mechanical-outside | one below 70 % |
  | S355J2H HollowSection 16 standard=EN_10219-1 tests=40/26/26@-20 | hollow-mechanical-outside | two below |
  | S355J2H HollowSection 8 standard=EN_10219-1 tests=13/13/14@-20w5 | hollow-mechanical-outside | average 13.3 |
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
  | S355J2H HollowSection 10 standard=EN_10210-1 deliveryCondition=NR P=0.20 | hollow-chemistry-outside hollow-not-checked | the limits are applied all the same |
  | S420MH HollowSection 10 standard=EN_10210-1  | hollow-not-checked     | not of this standard, and no figures at hand |
  | S355J2H HollowSection 20 standard=EN_10210-1_/_EN_10219-1 C=0.20 Mn=1.5 | hollow-to-be-judged | CEV 0.46: EN 10210 has 0.47, EN 10219 has 0.45 |
  | S355J2H HollowSection 10 standard=EN_10210-1 statedCev=0.30 | hollow-to-be-judged | computed 0.26 |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.22 Mn=1.5 analysis=product | hollow-to-be-judged | CEV 0.48 of the product, not of the cast |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.22 Mn=1.5 analysis=product statedCev=0.44 | – | as stated |
  | S235JRH HollowSection 16 standard=EN_10210-1 tests=60/60/60@19;20/20/20@20 | hollow-to-be-judged    | JR at 20 °C |
  | S235JRH HollowSection 16 standard=EN_10210-1 tests=60/60/60@20;20/20/20@19 | –                      | JR at 20 °C |
  | S355K2H HollowSection 16 standard=EN_10210-1 kv=26 kt=-30    | hollow-to-be-judged    | 27 J at −30 °C |
  | S355K2H HollowSection 16 standard=EN_10210-1 kv=27 kt=-29    | hollow-to-be-judged    | 27 J at −30 °C |
  | S355J2H HollowSection 16 standard=EN_10210-1 kv=27 kt=-30    | –                      | J2 needs 27 J |
  | S355J2H HollowSection 12 standard=EN_10210-1 kv=14           | hollow-to-be-judged    | reduced test pieces, at least half |
  | S355J2H HollowSection 12 standard=EN_10210-1 kv=13           | hollow-mechanical-outside | below half |
  | S355J2H HollowSection 5.9 standard=EN_10210-1 kv=5           | –                      | below 6 mm none is made |
  | S355J2H HollowSection 6 standard=EN_10210-1 kv=5             | hollow-mechanical-outside | from 6 mm on |
  | S275J0H HollowSection 10 standard=EN_10210-1 V=? inspectionDocument=2.2 | –                      | a 2.2 of S275 need not show all seven |
  | S275J0H HollowSection 10 standard=EN_10210-1 V=?             | not-judged             | a 3.1 shows all seven |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? inspectionDocument=2.2 | not-judged             | S355 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cr=? statedCev=0.44 | –                      | as stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.5 | hollow-chemistry-outside not-judged | without V 0.46 |
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
  | S355J2H HollowSection 10 standard=EN_10210-1 V=1.05          | hollow-to-be-judged hollow-chemistry-outside | CEV 0.47 |
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
  | S355J2H HollowSection 10 standard=EN_10210-1 N=0.030 Al=0.005 | hollow-to-be-judged | no limit for J2, but nothing binds it |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=0.24 analysis=product | hollow-to-be-judged    | a product analysis may be higher |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=355 tensile=rp300 | –                      | ReH is stated |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rp354;rp400 | hollow-mechanical-outside | each test |
  | S355J2H HollowSection 10 standard=EN_10210-1 C=? statedCev=0.46 | hollow-chemistry-outside not-judged | as stated |
  | S355J2H HollowSection – standard=EN_10210-1 V=? statedCev=0.53 | not-judged             | no thickness: the laxest band |
  | S355J2H HollowSection – standard=EN_10210-1 V=? statedCev=0.54 | hollow-chemistry-outside not-judged | no thickness: the laxest band |
  | S355J2H HollowSection 100 standard=EN_10210-1 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.475 | hollow-to-be-judged | computed 0.495 |
  | S355J2H HollowSection 100 standard=EN_10210-1 Cr=0.29 Mo=0.11 V=0.5 Ni=0.42 Cu=0.55 statedCev=0.515 | hollow-to-be-judged | computed 0.495 |
  | S355J2H HollowSection 120.5 standard=EN_10210-1 C=0.60 rm=800 tensile=rm800 | hollow-not-checked     | EN 10210 ends at 120 mm |
  | S355J2H HollowSection 10 standard=EN_10210-1 reH=? tensile=rm500 | not-judged     | no yield strength |
  | S355J0H HollowSection 10 standard=EN_10210-1 N=0.027 Al=0.005 kt=0 | hollow-to-be-judged | the laxest figure |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.42 | not-judged      | without V 0.45 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.5 analysis=product | hollow-to-be-judged not-judged | without V 0.46 |
  | S355J2H HollowSection 10 standard=EN_10210-1 Cu=? V=1 C=0.10 Mn=0.9 | hollow-chemistry-outside hollow-to-be-judged not-judged | without Cu 0.46 |
  | S355J2H HollowSection 10 standard=EN_10210-1 V=? C=0.20 Mn=1.6 statedCev=0.44 | hollow-chemistry-outside hollow-to-be-judged | the analysis gives 0.48 |
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
  | S355J2H HollowSection 10 V=0.09 standard=EN_10219-1 | – | EN 10020: unalloyed |
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
  | S355J2H HollowSection 10 Al=0.003 analysis=product standard=EN_10219-1 | – | no ladle analysis |
  | S355J0H HollowSection 10 kt=0 standard=EN_10210-1 Al=0.003 | – | not rimming is enough |
  | S355J0H HollowSection 10 kt=0 standard=EN_10219-1 Al=0.003 | hollow-to-be-judged | EN 10219 is fully killed |
  | S355J2H HollowSection 10 standard=EN_10219-1 V=? statedCev=0.45 | – | an option of EN 10219 |
  | S355J2H HollowSection 10 standard=EN_10219-1 V=? statedCev=0.46 | hollow-to-be-judged | an option of EN 10219 |
  | S355J2H HollowSection 8 standard=EN_10219-1 a=14.5 | hollow-mechanical-outside | no note of EN 10219 admits it |
  | S355J2H HollowSection 8 standard=EN_10219-1 a=15 | hollow-to-be-judged | notes for thin and compact sections |
  | S355J2H HollowSection 8 standard=EN_10219-1 tensile=a14.5l | hollow-mechanical-outside | no note of EN 10219 admits it |
  | S355J2H HollowSection 8 standard=EN_10219-1 tensile=a15l | hollow-to-be-judged | notes for thin and compact sections |
  | S355J2H HollowSection 20 standard=EN_10210-1 a=20 tensile=a20t | – | across |
  | S355J2H HollowSection 20 standard=EN_10210-1 a=19.5 tensile=a19.5t | hollow-mechanical-outside | across |
  | S355J2H HollowSection 20 standard=EN_10210-1 a=20 tensile=a20l | hollow-mechanical-outside hollow-to-be-judged | lengthwise |
  | S355J2H HollowSection 110 standard=EN_10210-1 a=18 tensile=a18t | – | across, above 100 mm |
  | S355J2H HollowSection 110 standard=EN_10210-1 a=17.5 tensile=a17.5t | hollow-mechanical-outside | across, above 100 mm |
  | S355J2H HollowSection 16 standard=EN_10210-1 reH=? tensile=rl355 | – | ReL is never above ReH |
  | S355J2H HollowSection 16 standard=EN_10210-1 reH=? tensile=rl354 | hollow-to-be-judged | ReH may be higher |`)
