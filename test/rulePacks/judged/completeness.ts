import { rowsOf } from '../markdown.ts'

/** The pack for completeness on certificates. Columns: values, expected tags, source. */
export const completeness = rowsOf(`
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
  | S355J2 Plate 20 reH=? tensile=rl355          | –                      | ReL stands for ReH |
  | S355J2 Coil 2.5 a=? tensile=e17l             | –                      | elongation over 80 mm |
  | S355J2 Coil 2.5 a=? tensile=rm550            | incomplete             | no elongation |
  | S355J2 Coil 2.5 a=? tests=60/60/60@-20       | incomplete             | no elongation |
  | S355J0 Plate 20 kv=? kt=?                    | incomplete             | J0 promises an energy |
  | S355K2 Plate 20 kv=? kt=?                    | incomplete             | K2 promises an energy |`)

/** The same pack on orders: execution class, inspection document, grades of the lines. */
export const lines = rowsOf(`
  | EXC2 3.1 S355J2                              | –                      | each line has a grade |
  | EXC2 3.1 S355J2 –                            | line-without-grade     | one line has none |
  | EXC2 3.1 –                                   | line-without-grade     | no line has one |
  | EXC2 3.1 S355J2 Corten                       | grade-unreadable       | nobody knows one of them |`)
