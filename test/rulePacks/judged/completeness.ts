import { rowsOf } from '../markdown.ts'

/** The pack for completeness on certificates. Columns: values, expected tags, source. */
export const completeness = rowsOf(`
  | S355JR Plate 20 V=? Mo=? inspectionDocument=2.2 | incomplete          | S355 |
  | 1.4301 Plate 20 V=? Mo=? reH=?               | –                      | stainless |
  | S355J2 Plate 5.9 kv=? kt=?                   | –                      | below 6 mm none is made |
  | S355J2 Plate 20 kt=?                         | incomplete             | an energy without its temperature |
  | S355J2 Plate 20 tests=60/60/60@              | incomplete             | an energy without its temperature |
  | S355J2 Plate 20 mechanical=?                 | incomplete             | no mechanical values |
  | S355J2 Plate 20 tests=60/60/60@-20 tensile=rm550 | –                      | tensile tests beside it |
  | S355J2 Plate 6 kv=? kt=?                     | incomplete             | from 6 mm on |
  | S275JR Plate 20 V=? inspectionDocument=2.2   | –                      | a 2.2 of S275 need not show it |
  | S235JR Plate 20 V=? inspectionDocument=3.1   | incomplete             | a 3.1 shows it |
  | S355J2 – – kv=? kt=?                         | incomplete details-missing | no thickness |
  | S355J2 Plate 20 chemistry=?                  | incomplete             | no analysis |
  | S355J2 Plate 20 manufacturer=?               | incomplete             | EN 10204 |
  | S355J2 Plate 20 standard=?                   | incomplete             | EN 1090-2 |
  | S355J2 Plate 20 issuedOn=?                   | details-missing        | house rule |
  | S355J2 Plate 20 reH=? tensile=rm550          | incomplete             | neither ReH nor Rp0.2 |
  | S355J2 Plate 20 reH=? tensile=rl355          | –                      | ReL stands for ReH |
  | S355J2 Coil 2.5 a=? tensile=e17l             | –                      | elongation over 80 mm |
  | S355J2 Coil 2.5 a=? tensile=rm550            | incomplete             | no elongation |
  | S355J0 Plate 20 kv=? kt=?                    | incomplete             | J0 promises an energy |
  | S355K2 Plate 20 kv=? kt=?                    | incomplete             | K2 promises an energy |`)

/** The same pack on orders: execution class, inspection document, grades of the lines. */
export const lines = rowsOf(`
  | EXC2 3.1 –                                   | line-without-grade     | no line has one |
  | EXC2 3.1 S355J2 Corten                       | grade-unreadable       | nobody knows one of them |`)
