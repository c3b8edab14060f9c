import { rowsOf } from '../markdown.ts'

/** The pack for slips on certificates. Columns: values, expected tags, source. */
export const plausibility = rowsOf(`
  | S355J2 Plate 20 N=0.12                       | implausible            | a misplaced point |
  | S355J2 Plate 20 N=52                         | implausible            | ppm |
  | S355J2 Plate 20 C=2                          | –                      | house rule |
  | S355J2 Plate 20 C=16                         | implausible            | hundredths |
  | S355J2 Plate 20 P=0.5                        | –                      | house rule |
  | S355J2 Plate 20 C=2.1                        | implausible            | a misplaced point |
  | S355J2 Plate 20 P=12                         | implausible            | thousandths |
  | S355J2 Plate 20 S=8                          | implausible            | thousandths |
  | S355J2 Plate 20 reH=520 rm=380               | implausible            | swapped |
  | S355J2 Plate 20 reH=500 rm=500               | –                      | equal |
  | S355J2 Plate 20 a=60                         | –                      | house rule |
  | S355J2 Plate 20 Cr=10.4 a=62                 | implausible            | not stainless |
  | S355J2 Plate 20 Al=2                         | –                      | house rule |
  | S355J2 Plate 20 Al=2.1                       | implausible            | a misplaced point |
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
  | S355J2 HollowSection 120                     | –                      | house rule |
  | S355J2 Section 150                           | –                      | house rule |
  | S355J2 Plate 20 rm=200 reH=?                 | –                      | house rule |
  | S355J2 Plate 20 rm=199 reH=?                 | implausible            | ksi or kgf/mm² |
  | S355J2 Plate 20 C=0 Mn=0 Si=0 P=0 S=0        | implausible            | zeros in place of missing values |
  | S355J2 Plate 20 Si=3                         | –                      | house rule |
  | S355J2 Plate 20 tests=60/60/60@-20w10.5      | implausible            | wider than a full test piece |
  | S355J2 Plate 20 tests=60/60/60@              | –                      | no temperature to compare |
  | S355J2 Plate 20 C=? Si=? Mn=? P=? S=? Cr=? Ni=? Mo=? Cu=? Al=? V=? N=? Fe=100.0495 | – | 100.0 % |
  | S355J2 Plate 20 C=? Si=? Mn=? P=? S=? Cr=? Ni=? Mo=? Cu=? Al=? V=? N=? Fe=100.05 | implausible | 100.1 % |
  | S355J2 Plate 20 Si=3.1                       | implausible            | a misplaced point |
  | S355J2 Plate 20 Si=45                        | implausible            | hundredths |
  | S355J2 Plate 20 Mn=3                         | –                      | house rule |
  | S355J2 Plate 20 Mn=3.1                       | implausible            | a misplaced point |
  | S355J2 Plate 20 Mn=45                        | implausible            | hundredths |
  | S355J2 Plate 20 Cu=3                         | –                      | house rule |
  | S355J2 Plate 20 Cu=3.1                       | implausible            | a misplaced point |
  | S355J2 Plate 20 Cu=45                        | implausible            | hundredths |
  | S355J2 Plate 20 Nb=1                         | –                      | house rule |
  | S355J2 Plate 20 Nb=1.1                       | implausible            | a misplaced point |
  | S355J2 Plate 20 Nb=22                        | implausible            | thousandths |
  | S355J2 Plate 20 Ti=1                         | –                      | house rule |
  | S355J2 Plate 20 Ti=1.1                       | implausible            | a misplaced point |
  | S355J2 Plate 20 Ti=22                        | implausible            | thousandths |
  | S355J2 Plate 20 V=1                         | –                      | house rule |
  | S355J2 Plate 20 V=1.1                       | implausible            | a misplaced point |
  | S355J2 Plate 20 V=22                        | implausible            | thousandths |
  | S355J2 Plate 20 tests=60/60/60@40            | –                      | house rule |
  | S355J2 Plate 20 tests=60/60/60@-20;60/60/60@60 | implausible          | the energy, or another test |
  | S355J2 Plate 20 tests=60/60/60@-20w10        | –                      | a full test piece |
  | S355J2 Plate 7.5 tests=60/60/60@-20w7.5      | –                      | as thick as the product |
  | S355J2 Plate 20 tensile=re500+rm500          | –                      | equal |
  | S355J2 Plate 20 tensile=rp500+rm500          | –                      | equal |
  | S355J2 Plate 20 tensile=rm500+rp501          | implausible            | swapped |
  | S355J2 Plate 20 tensile=a60;rm500            | –                      | house rule |
  | S355J2 Plate 20 tensile=a25;a61              | implausible            | reduction of area |`)
