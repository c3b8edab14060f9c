import { rowsOf } from '../markdown.ts'

/** The pack for inspection documents on certificates. Columns: values, expected tags, source. */
export const documents = rowsOf(`
  | S235JR Plate 20 inspectionDocument=2.1       | document-to-be-judged  | 2.1 carries no results |
  | S235J0 Plate 20 inspectionDocument=2.2       | –                      | 3: JR and J0 |
  | S275JR Plate 20 inspectionDocument=2.2       | –                      | 3: JR and J0 |
  | S275J0 Plate 20 inspectionDocument=2.2       | –                      | 3: JR and J0 |
  | S235JRH HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 | –                      | 3: hollow sections, too |
  | S275J0H HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 | –                      | 3: hollow sections, too |
  | S235J2 Plate 20 inspectionDocument=2.2       | document-to-be-judged  | impact tested below 0 °C |
  | S275J2H HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 | document-to-be-judged  | impact tested below 0 °C |
  | S235J2W Plate 20 inspectionDocument=2.2 standard=EN_10025-5 | document-not-checked   | weathering steel |
  | S235JR/P265GH Plate 20 inspectionDocument=2.2 | document-not-checked   | one name cannot be read |
  | S355J0 Plate 20 inspectionDocument=2.2 edition=2008 | document-to-be-judged  | 2008: 2.2 in EXC1 only |
  | S355J0H HollowSection 8 inspectionDocument=2.2 standard=EN_10219-1 edition=2008 | document-to-be-judged  | 2008 |
  | S355JR Plate 20 inspectionDocument=2.1 edition=2008 | document-to-be-judged document-too-low | 2008: results in every class |
  | S355JR Plate 20 inspectionDocument=3.1 edition=2008 | –                      | 2008 |
  | S355J2 Plate 20 inspectionDocument=2.2 edition=2008 | document-too-low       | 2008: J2 needs 3.1 |`)

/** The same pack on orders: execution class, inspection document, grades of the lines. */
export const orders = rowsOf(`
  | EXC2 2.2 S275J2                              | demand-to-be-judged    | impact tested below 0 °C |
  | EXC3 3.1 S355J2                              | trace-every-piece      | EXC3 and EXC4 |
  | EXC2 –   S355J2                              | demand-to-be-judged    | no document is named |
  | EXC2 2.2 S275N                               | demand-not-checked     | 3: 2.2 only for JR and J0 |
  | EXC3 2.2 S355J2                              | demand-too-low trace-every-piece | EXC3 |
  | EXC4 2.2 S355J2                              | demand-too-low trace-every-piece | EXC4 |
  | EXC2 2.2 S235JR P265GH                       | demand-not-checked     | one line cannot be read |
  | EXC1 2.2 S355JR edition=2008                 | –                      | 2008: 2.2 in EXC1 |
  | EXC2 2.2 S235JR S355J0 edition=2008          | demand-too-low         | 2008: the line that demands most |
  | EXC1 2.1 S355JR edition=2008                 | demand-to-be-judged demand-too-low | 2008: results in every class |
  | –    2.2 S355J2 edition=2008                 | demand-to-be-judged no-execution-class | no structure is named |`)
