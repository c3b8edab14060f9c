import { rowsOf } from '../markdown.ts'

/** The pack for mechanical properties on certificates. Columns: values, expected tags, source. */
export const mechanical = rowsOf(`
  | S355J2 Plate 20  reH=345                     | –                      | 2.1, 16–40 |
  | S355J2 Plate 20  reH=344.6                   | –                      | ISO 6892-1: 1 MPa |
  | S355J2 Plate 20  reH=344.4                   | outside-limits         | 2.1 |
  | S355JR Plate 300 reH=264                     | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2 – –       reH=264                     | outside-limits not-judged | no thickness: the laxest band |
  | S355J2 – –       reH=265                     | not-judged             | no thickness: the laxest band |
  | S355J2 Plate 20  rm=469.4                    | outside-limits         | 2.2 |
  | S355J2 Plate 20  rm=630.4                    | –                      | 1 MPa |
  | S355J2 Plate 2   rm=500                      | outside-limits mechanical-not-checked | 2.2 below 3 mm: 510; elongation is not judged |
  | S235JR – –       rm=500                      | not-judged             | no thickness: the widest range |
  | S235JR – –       rm=511                      | outside-limits not-judged | no thickness: the widest range |
  | S460J2 Bar 20    rm=540                      | limits-to-be-judged    | one source: flags |
  | S355J2 Bar 20    a=21.8                      | –                      | steps of 0.5: 22.0 |
  | S355J2 Bar 20    a=21.7                      | outside-limits | 21.5 |
  | S355J2 Plate 20  a=20                        | limits-to-be-judged    | the direction is not stated |
  | S355J2 Plate 20  a=19.5                      | outside-limits | below the one across |
  | S355J2 Plate 20  a=20 widthMm=2000           | –                      | from 600 mm width on across |
  | S355J2 Plate 20  a=21 widthMm=500            | outside-limits | below 600 mm lengthwise |
  | S355J2 Plate 20  kv=26.5                     | –                      | half up: 27 |
  | S355J2 Plate 20  kv=26                       | charpy-outside-limits | 2.4 |
  | S355J2 Plate 12  kv=14                       | charpy-to-be-judged    | reduced test pieces up to and including 12 mm |
  | S355J2 Plate 12  kv=13                       | charpy-outside-limits | below half |
  | S355J2 Plate 12.1 kv=26                      | charpy-outside-limits | above 12 mm |
  | S355J2 Plate 5.9 kv=5                        | –                      | below 6 mm none is made |
  | S355K2 Plate 20  kv=27 kt=-30                | –                      | 27 J at −30 °C meets 40 J at −20 °C |
  | S355K2 Plate 20  kv=26 kt=-30                | charpy-to-be-judged    | colder, too little |
  | S355J0 Plate 20  kv=60 kt=20                 | charpy-outside-limits | too warm |
  | S460J2 Bar 20    kv=60 kt=0                  | charpy-to-be-judged | too warm, and its limit is from one source |
  | S355JR Plate 20  kv=20 kt=20                 | charpy-to-be-judged    | JR only if ordered |
  | S355JR Plate 20  kv=? kt=?                   | –                      | JR needs no test |
  | S355J2 Plate 20  kv=? kt=0                   | not-judged             | a temperature without energy is not too warm |
  | S355J2 Plate 20  kv=? kt=?                   | not-judged             | J2 promises an energy |
  | S355J2 Plate 20  kv=60 kt=?                  | not-judged             | an energy without its temperature |
  | S355J2 Plate 20  reH=?                       | not-judged             | the yield strength is missing |
  | S355J2 Plate 20  tests=27/26/27@-20          | –                      | average 26.7, one below |
  | S355J2 Plate 20  tests=25/27/27@-20          | charpy-outside-limits | average 26.3 |
  | S355J2 Plate 20  tests=40/30/19@-20          | –                      | one below, 70 % of 27 is 18.9 |
  | S355J2 Plate 20  tests=45/30/18@-20          | charpy-outside-limits | one below 70 % |
  | S355J2 Plate 20  tests=40/26/27@-20          | –                      | one below |
  | S355J2 Plate 20  tests=40/26/26@-20          | charpy-outside-limits | two below |
  | S355K2 Plate 20  tests=60/40/28@-20          | –                      | 70 % of 40 is 28 |
  | S355K2 Plate 20  tests=60/40/27@-20          | charpy-outside-limits | one below 70 % |
  | S355K2 Plate 160 tests=50/33/24@-20          | –                      | 70 % of 33 is 23.1 |
  | S355K2 Plate 160 tests=50/33/23@-20          | charpy-outside-limits | one below 70 % |
  | S355J2 Plate 10  tests=20/20/20@-20w7.5      | –                      | 7.5 mm: 20.25, at full joules 20 |
  | S355J2 Plate 10  tests=19/19/22@-20w7.5      | charpy-outside-limits | two below |
  | S355J2 Plate 10  tests=19/19/19@-20w7.5      | charpy-outside-limits | average 19 |
  | S355J2 Plate 10  tests=15/25/25@-20w7.5      | –                      | 70 % of 20.25 is 14.2 |
  | S355J2 Plate 10  tests=14/25/25@-20w7.5      | charpy-outside-limits | one below 70 % |
  | S355J2 Plate 8   tests=14/14/14@-20w4.9      | charpy-to-be-judged    | narrower than 5 mm |
  | S355J2 Plate 12  tests=5/5/5@-20w1           | charpy-to-be-judged    | narrower than 5 mm |
  | S355J2 Plate 5.9 tests=5/5/5@-20w1           | –                      | below 6 mm none is made |
  | S355J2 Plate 8   tests=13/13/14@-20w5        | charpy-outside-limits | average 13.3 |
  | S355J2 Plate 8   tests=20/20/20@-20w10       | charpy-outside-limits | a full test piece |
  | S355J2 Plate 12  tests=20/20/20@-20w7.5      | –                      | reduced up to and including 12 mm |
  | S355J2 Plate 12.1 tests=40/40/40@-20w7.5     | charpy-to-be-judged    | reduced above 12 mm |
  | S355J2 Plate 20  tests=40/40/40@-20w7.5;40/40/40@-20 | –              | a full one too |
  | S355J2 Plate 12  tests=14/14/14@-20          | charpy-to-be-judged    | the width is not stated: perhaps half |
  | S355J2 Plate 12  tests=13/13/13@-20          | charpy-outside-limits | below half |
  | S355J2 Plate 12.1 tests=26/26/26@-20         | charpy-outside-limits | no reduced test piece |
  | S355J2 Plate 20  tests=60/60/60@0            | charpy-outside-limits | too warm |
  | S355J2 Plate 20  tests=60/60/60@0;60/60/60@-20 | –                    | also cold enough |
  | S355J2 Plate 20  tests=60/60/60@-20;9/9/9@-50 | –                     | the colder test asks for nothing |
  | S355J2 Plate 20  tests=20/20/20@-50          | charpy-to-be-judged    | colder, too little |
  | S355K2 Plate 20  tests=27/27/27@-30          | –                      | 27 J at −30 °C meets 40 J at −20 °C |
  | S355K2 Plate 20  tests=40/40/40@-20;27/27/27@-30 | –                  | also with a test at −20 °C |
  | S355K2 Plate 20  tests=27/27/27@-20;27/27/27@-30 | charpy-to-be-judged | the test at −20 °C shows less than 40 J |
  | S355K2 Plate 20  tests=26/26/26@-20;27/27/27@-30 | charpy-outside-limits | less at −20 °C than at −30 °C |
  | S355K2 Plate 20  tests=60/60/60@-20;20/20/20@-20;27/27/27@-30 | charpy-outside-limits | each test at −20 °C counts |
  | S355K2 Plate 20  tests=40/40/19@-20;27/27/27@-30 | charpy-to-be-judged | one below 70 % of 40 J |
  | S355K2 Plate 20  tests=40/40/18@-20;27/27/27@-30 | charpy-outside-limits charpy-to-be-judged | one below 70 % of 27 J |
  | S355K2 Plate 20  tests=43/19/19@-30          | charpy-to-be-judged    | at −30 °C, two below 27 J |
  | S355K2 Plate 20  tests=45/27/19@-30          | –                      | at −30 °C, 70 % of 27 J |
  | S355K2 Plate 20  tests=45/27/18@-30          | charpy-to-be-judged    | at −30 °C, one below 70 % of 27 J |
  | S355K2 Plate 20  tests=27/27/27@-30;9/9/9@-50 | –                     | the colder test asks for nothing |
  | S355K2 Plate 20  tests=26/26/26@-30          | charpy-to-be-judged    | colder, too little |
  | S355J2 Plate 20  tests=20/20/20@-20t         | charpy-to-be-judged    | across: the table is of lengthwise tests |
  | S355JR Plate 20  tests=20/20/20@20           | charpy-to-be-judged    | JR only if ordered |
  | S355J2 Plate 20  tests=20/20/20@             | charpy-to-be-judged not-judged             | an energy without its temperature |
  | S355J2 Section 120 kv=5                      | mechanical-not-checked | by agreement above 100 mm |
  | S355NL Plate 20                              | mechanical-not-checked | another standard |
  | S355J2G3 Plate 20                            | mechanical-not-checked | a withdrawn name |
  | S355J2+AR Plate 20 deliveryCondition=+N      | mechanical-not-checked | two delivery conditions contradict each other |
  | S355J2+AR Plate 20 deliveryCondition=+N reH=300 | outside-limits mechanical-not-checked | the limits hold in either |
  | S355J2 Plate 20 deliveryCondition=NR         | mechanical-not-checked | nobody has checked NR |
  | S355J2 Plate 20 deliveryCondition=NR reH=300 | outside-limits mechanical-not-checked | the limits are applied all the same |
  | S355J2/S355K2 Plate 20 kv=39                 | charpy-outside-limits | a dual grade: K2 needs 40 J |
  | S355J2/K2+N Plate 20 kv=39                   | charpy-outside-limits | a dual grade in short: K2 needs 40 J |
  | S355J2/K2+N Plate 20 kv=40                   | –                      | a dual grade in short |
  | S355_J2+N_/_K2+N Plate 20 kv=39              | charpy-outside-limits | a dual grade in short, with spaces |
  | S275JR/J0 Bar 20 kv=20 kt=0                  | charpy-outside-limits charpy-to-be-judged | a dual grade in short: J0 needs 27 J |
  | P265GH/K2 Plate 20                           | mechanical-not-checked | no strength in front of the quality |
  | S355J2/X2 Plate 20                           | mechanical-not-checked | no quality |
  | 1.4301 Plate 20 standard=EN_10088-2          | mechanical-not-checked | stainless: no figures at hand |
  | S355J2 Plate 20  tensile=rm480;rm630         | –                      | 2.2, each test |
  | S355J2 Plate 20  tensile=rm480;rm631         | outside-limits         | 2.2: the summary has the least test only |
  | S355J2 Plate 20  tensile=rm469.4             | outside-limits         | 2.2, whatever the summary says |
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
  | S355J2 Plate 20  a=21 tensile=a21l           | outside-limits | tested lengthwise |
  | S355J2 Plate 20  a=21 tensile=a21l widthMm=2000 | outside-limits | the direction of the test counts |
  | S355J2 Plate 20  a=20 tensile=a20t widthMm=500  | –                   | the direction of the test counts |
  | S355J2 Plate 20  a=20 tensile=a20t;a23l      | limits-to-be-judged    | both directions |
  | S355J2+N Plate 30 zQuality=Z25               | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N_Z25 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N+Z35 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N_Z_25 Plate 30                       | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2+N_z15 Plate 30                        | mechanical-not-checked | EN 10164: no field for the test |
  | S355J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S460J2 Bar 150.5                             | mechanical-not-checked | outside the tables |
  | S355JR Plate 300                             | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2 Plate 20 a=20 widthMm=600             | –                      | from 600 mm width on across |
  | S355J2 Plate 20 a=20 widthMm=599             | outside-limits | below 600 mm lengthwise |
  | S355JR Plate 20 tests=60/60/60@19;20/20/20@20 | charpy-to-be-judged    | JR at 20 °C |
  | S355J2 Plate 120 kv=5                        | charpy-outside-limits | plate has limits above 100 mm |
  | S355J2 Other 100.1 kv=5                      | charpy-to-be-judged    | it may be a section |
  | S355J2 – 100.1 kv=5                          | charpy-to-be-judged    | it may be a section |
  | S355J2 Plate 6 kv=5                          | charpy-outside-limits | from 6 mm on |
  | S355K2 Plate 20 kv=27 kt=-29                 | charpy-to-be-judged    | 27 J at −30 °C |
  | S460J2 Bar 20 kv=20                          | charpy-to-be-judged    | one source: flags |
  | S355J2 Plate 20 tests=20/20/20@-20;60/60/60@-30 | charpy-outside-limits | each test at its temperature |
  | S355JR Plate 300 tensile=rm601               | limits-to-be-judged    | above 250 mm JR: ask a person |
  | S355J2 Plate 20 reH=? tensile=rp344;rp400    | outside-limits         | each test |
  | S355J2 HollowSection 20                      | mechanical-not-checked | no form of EN 10025-2 |
  | S460J2 Plate 20                              | mechanical-not-checked | S460 is a long product |
  | S355J2 Plate 20 standard=ASTM_A572           | mechanical-not-checked | a standard that the reader does not know |
  | S355NL Plate 20 standard=EN_10025-3          | mechanical-not-checked | another standard |
  | S355J2H HollowSection 8 standard=EN_10210-1  | mechanical-not-checked | hollow sections |
  | S235J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S275J2 Plate 400.5                           | mechanical-not-checked | outside the tables |
  | S355J2 Coil 20 a=21 widthMm=500              | outside-limits | below 600 mm lengthwise |
  | S355J2 Plate 20 a=20 widthMm=2000 tensile=rm500 | –                      | the test says nothing of elongation |
  | S355J2 Plate 20 a=20 widthMm=2000 tests=60/60/60@-20 | –                      | no tensile test |
  | S355J2 Plate 20 a=20 tensile=a20t;rm500 tests=60/60/60@-20 | –                      | tests of other kinds beside it |
  | S355J2 Plate 20 a=21 tensile=a21l;rm500 tests=60/60/60@-20 | outside-limits | tests of other kinds beside it |
  | S355J2 Plate 20 a=20 tensile=a20             | limits-to-be-judged    | the direction is not stated |
  | S355J2 Plate 20 a=20 tensile=a20 widthMm=2000 | –                      | the width tells the direction |
  | S355J2 Section 20 a=21                       | outside-limits | a section is tested lengthwise |
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
  | S355J2+CR Plate 20                           | mechanical-not-checked | not a condition of the standard |
  | S355J2 Coil 2.5 tensile=e16.74l              | limits-to-be-judged    | 2.3, over 80 mm: 16.5 |
  | S355J2 Coil 2.5 tensile=e16                  | limits-to-be-judged    | direction not stated: the lengthwise figure |
  | S355J2 Coil 2.5 tensile=e17l;e16l            | limits-to-be-judged    | each test |
  | S355J2 Coil 2.5 tensile=a17l                 | mechanical-not-checked | another gauge length |
  | S355J2 Coil 2.5 a=30                         | mechanical-not-checked | no test over 80 mm |
  | S355J2 Coil 3   tensile=e10l                 | –                      | from 3 mm on A counts |
  | S355J2 Coil 2.5 tensile=rm550 tests=60/60/60@-20 | mechanical-not-checked | no elongation over 80 mm |
  | S460J2 Bar 2.5  tensile=e10l                 | mechanical-not-checked | no figures over 80 mm |
  | S355NL Coil 2.5 tensile=e10l                 | mechanical-not-checked | another standard |
  | S355J2 Section 100.5 kv=5                    | mechanical-not-checked | by agreement above 100 mm |
  | S355J2 Plate – a=17                          | not-judged             | no thickness: the laxest band |
  | S355J2 Plate – a=16.5                        | outside-limits not-judged | no thickness: the laxest band |
  | S355K2 Plate – kv=33                         | not-judged             | no thickness: the laxest band |
  | S355J2 Plate 20 tests=60/60/60@;20/20/20@-20 | charpy-outside-limits | one test of two has its temperature |
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
  | S355J2 Plate 20 tests=60/60/60@-20;20/20/20@-20 | charpy-outside-limits | each test counts |
  | S355J2 Plate 20 tests=26/26/26@-20w10        | charpy-outside-limits | a full test piece |
  | S355K2 Plate 10 tests=13/24/24@-30w7.5       | charpy-to-be-judged    | 70 % of 20.25 is 14.2 |
  | S355K2 Plate 20 tests=32/32/18@-30           | charpy-to-be-judged    | average 27.3, one below 70 % |
  | S355J2 Plate 20 tests=26@-20;60@-20          | charpy-outside-limits | each test counts |
  | S355J2 Tube 20 reH=100                       | mechanical-not-checked | no form of EN 10025-2 |
  | S355J2 Plate 20 tests=60/60/20@-20w10        | –                      | 70 % of 27 of a full test piece |
  | S355J2 Plate 20 tests=28/28/60@-20w10        | –                      | none below 27 |
  | S355J2_Z_15 Plate 20                         | mechanical-not-checked | through the thickness |
  | S355J2_Z_35 Plate 20                         | mechanical-not-checked | through the thickness |
  | S355J2 Plate 20 tests=15/26/45/40/42/44@-20 | charpy-to-be-judged | a retest: six values conform |
  | S355J2 Plate 20 tests=15/26/26/40/42/44@-20 | charpy-outside-limits | three of six below the minimum |
  | S355J2 Plate 20 tests=15/18/45/40/42/44@-20 | charpy-outside-limits | two of six below 70 % |
  | S355J2 Plate 20 tests=15/28/28/28/28/28@-20 | charpy-outside-limits | the six have 26 J |
  | S355J2 Plate 20 tests=15/26/45@-20;40/42/44@-20 | charpy-to-be-judged | a second set makes the first one good |
  | S355J2 Plate 20 tests=15/26/45@-20;40/26/44@-20 | charpy-outside-limits | three of six below the minimum |
  | S355J2 Plate 20 tests=15/26/45@-20;15/42/44@-20 | charpy-outside-limits | two of six below 70 % |
  | S355J2 Plate 20 tests=15/26/45@-20;40/42/44@-40 | charpy-outside-limits | another temperature is no retest |
  | S355J2 Plate 20 tests=15/26/45@-20;40/42/44@-20w7.5 | charpy-outside-limits | another width is no retest |
  | S355J2 Plate 20 reH=? tensile=rl345 | – | ReL is never above ReH |
  | S355J2 Plate 20 reH=? tensile=rl344 | limits-to-be-judged | ReH may be higher |
  | S355J2 Plate 20 tests=27/27/26@-20 | – | 27 J on average, rounded |
  | S355J2 Plate 20 tests=27/27/25@-20 | charpy-outside-limits | 26 J on average |
  | S355J2 Plate 20 tests=20/21/22@;60/61/62@-20 | charpy-to-be-judged | one set is too low, whatever its temperature |
  | S355J2 Plate 20 tests=27/27/27@;60/61/62@-20 | – | each set has the energy |
  | S355J2 Plate 20 tests=14/13/14@w5;60/61/62@-20 | – | half of 27 J, with half of the width |`)
