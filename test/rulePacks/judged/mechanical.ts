import { rowsOf } from '../markdown.ts'

/** The pack for mechanical properties on certificates. Columns: values, expected tags, source. */
export const mechanical = rowsOf(`
  | S355J2 Plate 20  reH=344.6                   | –                      | ISO 6892-1: 1 MPa |
  | S355JR Plate 300 reH=264                     | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S235JR – –       rm=511                      | outside-limits not-judged | no thickness: the widest range |
  | S355J2 Bar 20    a=21.8                      | –                      | steps of 0.5: 22.0 |
  | S355J2 Bar 20    a=21.7                      | outside-limits | 21.5 |
  | S355J2 Plate 20  kv=26.5                     | –                      | half up: 27 |
  | S355J2 Plate 12  kv=14                       | charpy-to-be-judged    | reduced test pieces up to and including 12 mm |
  | S355K2 Plate 20  kv=27 kt=-30                | –                      | 27 J at −30 °C meets 40 J at −20 °C |
  | S355J0 Plate 20  kv=60 kt=20                 | charpy-outside-limits | too warm |
  | S460J2 Bar 20    kv=60 kt=0                  | charpy-to-be-judged | too warm, and its limit is from one source |
  | S355JR Plate 20  kv=? kt=?                   | –                      | JR needs no test |
  | S355K2 Plate 20  tests=60/40/28@-20          | –                      | 70 % of 40 is 28 |
  | S355K2 Plate 20  tests=60/40/27@-20          | charpy-outside-limits | one below 70 % |
  | S355K2 Plate 160 tests=50/33/23@-20          | charpy-outside-limits | one below 70 % |
  | S355J2 Plate 8   tests=14/14/14@-20w4.9      | charpy-to-be-judged    | narrower than 5 mm |
  | S355J2 Plate 5.9 tests=5/5/5@-20w1           | –                      | below 6 mm none is made |
  | S355J2 Plate 8   tests=13/13/14@-20w5        | charpy-outside-limits | average 13.3 |
  | S355J2 Plate 12  tests=20/20/20@-20w7.5      | –                      | reduced up to and including 12 mm |
  | S355J2 Plate 12.1 tests=40/40/40@-20w7.5     | charpy-to-be-judged    | reduced above 12 mm |
  | S355J2 Plate 12  tests=14/14/14@-20          | charpy-to-be-judged    | the width is not stated: perhaps half |
  | S355J2 Plate 20  tests=60/60/60@0            | charpy-outside-limits | too warm |
  | S355K2 Plate 20  tests=40/40/18@-20;27/27/27@-30 | charpy-outside-limits charpy-to-be-judged | one below 70 % of 27 J |
  | S355K2 Plate 20  tests=43/19/19@-30          | charpy-to-be-judged    | at −30 °C, two below 27 J |
  | S355K2 Plate 20  tests=45/27/19@-30          | –                      | at −30 °C, 70 % of 27 J |
  | S355K2 Plate 20  tests=26/26/26@-30          | charpy-to-be-judged    | colder, too little |
  | S355J2 Plate 20  tests=20/20/20@-20t         | charpy-to-be-judged    | across: the table is of lengthwise tests |
  | S355J2 Plate 20  tests=20/20/20@             | charpy-to-be-judged not-judged             | an energy without its temperature |
  | S355J2 Section 120 kv=5                      | mechanical-not-checked | by agreement above 100 mm |
  | S355J2G3 Plate 20                            | mechanical-not-checked | a withdrawn name |
  | S355J2+AR Plate 20 deliveryCondition=+N reH=300 | outside-limits mechanical-not-checked | the limits hold in either |
  | S355J2 Plate 20 deliveryCondition=NR reH=300 | outside-limits mechanical-not-checked | the limits are applied all the same |
  | S275JR/J0 Bar 20 kv=20 kt=0                  | charpy-outside-limits charpy-to-be-judged | a dual grade in short: J0 needs 27 J |
  | 1.4301 Plate 20 standard=EN_10088-2          | mechanical-not-checked | stainless: no figures at hand |
  | S355J2 Plate 20  tensile=rm480;rm630         | –                      | 2.2, each test |
  | S355J2 Plate 20  tensile=rm469.4             | outside-limits         | 2.2, whatever the summary says |
  | S460J2 Bar 20    tensile=rm549               | limits-to-be-judged    | one source: flags |
  | S355J2 Plate 20  tensile=re345               | –                      | 2.1, each test |
  | S355J2 Plate 20  reH=? tensile=re344         | outside-limits not-judged | 2.1, without one in the summary |
  | S355JR Plate 300 tensile=re264               | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2 Plate 20  tensile=re400;rp345         | –                      | Rp0.2 of a test without ReH |
  | S355J2 Plate 20  tensile=re400;rp344         | limits-to-be-judged    | Rp0.2 of a test without ReH |
  | S275J2 Plate 300 tensile=a17l                | limits-to-be-judged    | 2.3, above 250 mm: one source |
  | S355JR Plate 300 reH=? tensile=rp264         | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2+N_Z25 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N+Z35 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N_Z_25 Plate 30                       | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N_z15 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S460J2 Bar 150.5                             | mechanical-not-checked | outside the tables |
  | S355J2 Plate 20 a=20 widthMm=600             | –                      | from 600 mm width on across |
  | S355J2 Plate 20 a=20 widthMm=599             | outside-limits | below 600 mm lengthwise |
  | S355J2 Other 100.1 kv=5                      | charpy-to-be-judged    | it may be a section |
  | S355J2 Plate 6 kv=5                          | charpy-outside-limits | from 6 mm on |
  | S355K2 Plate 20 kv=27 kt=-29                 | charpy-to-be-judged    | 27 J at −30 °C |
  | S355J2 HollowSection 20                      | mechanical-not-checked | no form of EN 10025-2 |
  | S460J2 Plate 20                              | mechanical-not-checked | S460 is a long product |
  | S355NL Plate 20 standard=EN_10025-3          | mechanical-not-checked | another standard |
  | S355J2H HollowSection 8 standard=EN_10210-1  | mechanical-not-checked | hollow sections |
  | S235J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S275J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S355J2 Coil 20 a=21 widthMm=500              | outside-limits | below 600 mm lengthwise |
  | S355J2 Plate 20 a=20 widthMm=2000 tensile=rm500 | –                      | the test says nothing of elongation |
  | S355J2 Plate 20 a=20 tensile=a20t;rm500 tests=60/60/60@-20 | –                      | tests of other kinds beside it |
  | S355J2 Plate 20 a=21 tensile=a21l;rm500 tests=60/60/60@-20 | outside-limits | tests of other kinds beside it |
  | S355J2 Section 20 a=21                       | outside-limits | a section is tested lengthwise |
  | S355J2 Other 20 a=20 widthMm=2000            | limits-to-be-judged    | the width tells the direction of plates only |
  | S355J2 – – rm=450                            | not-judged             | no thickness: the widest range |
  | S355J2 – – rm=680                            | not-judged             | no thickness: the widest range |
  | S460J2 Bar – rm=720                          | not-judged             | no thickness: the widest range |
  | S460J2 Bar – rm=721                          | limits-to-be-judged not-judged | no thickness: the widest range |
  | S355J2 Plate 20 reH=? tensile=rp344;rm550    | outside-limits         | one test of two has Rp0.2 |
  | S355J2 Plate 20 reH=? tensile=rp345;rm550    | –                      | one test of two has Rp0.2 |
  | S355J2+SH Bar 20                             | mechanical-not-checked | EN 10277: peeled |
  | S355J2 Bar 20 deliveryCondition=C a=12       | mechanical-not-checked | EN 10277, stated beside the grade |
  | S355J2 Bar 20 deliveryCondition=+SH a=12     | mechanical-not-checked | EN 10277, stated beside the grade |
  | S355J2+N Bar 20 deliveryCondition=+C+SL a=12 | mechanical-not-checked | EN 10277, stated beside the grade |
  | S355J2 Coil 2.5 tensile=e16                  | limits-to-be-judged    | direction not stated: the lengthwise figure |
  | S355J2 Coil 2.5 tensile=a17l                 | mechanical-not-checked | another gauge length |
  | S355J2 Coil 3   tensile=e10l                 | –                      | from 3 mm on A counts |
  | S355JR Plate 20 kv=20 kt=?                   | charpy-to-be-judged not-judged | a value without its temperature |
  | S355J2 Plate 20 tests=27/27/27@-20w10;9/9/9@-50 | –                      | the least energy of a full test piece |
  | S355J2 Plate 20 tests=26/26/26@-30;9/9/9@-50 | charpy-to-be-judged    | no test shows the energy |
  | S355J2 Plate 20 tests=26/26/26@-20w10        | charpy-outside-limits | a full test piece |
  | S355K2 Plate 20 tests=32/32/18@-30           | charpy-to-be-judged    | average 27.3, one below 70 % |
  | S355J2 Tube 20 reH=100                       | mechanical-not-checked | no form of EN 10025-2 |
  | S355J2 Plate 20 tests=60/60/20@-20w10        | –                      | 70 % of 27 of a full test piece |
  | S355J2_Z_15 Plate 20                         | mechanical-not-checked | through the thickness |
  | S355J2_Z_35 Plate 20                         | mechanical-not-checked | through the thickness |
  | S355J2 Plate 20 tests=15/26/45/40/42/44@-20 | charpy-to-be-judged | a retest: six values conform |
  | S355J2 Plate 20 tests=15/18/45/40/42/44@-20 | charpy-outside-limits | two of six below 70 % |
  | S355J2 Plate 20 tests=15/26/45@-20;40/42/44@-20 | charpy-to-be-judged | a second set makes the first one good |
  | S355J2 Plate 20 tests=15/26/45@-20;40/26/44@-20 | charpy-outside-limits | three of six below the minimum |
  | S355J2 Plate 20 tests=15/26/45@-20;40/42/44@-20w7.5 | charpy-outside-limits | another width is no retest |
  | S355J2 Plate 20 reH=? tensile=rl345 | – | ReL is never above ReH |
  | S355J2 Plate 20 reH=? tensile=rl344 | limits-to-be-judged | ReH may be higher |
  | S355J2 Plate 20 tests=27/27/27@;60/61/62@-20 | – | each set has the energy |`)
