import { rowsOf } from '../markdown.ts'

/** The pack for inspection documents on certificates. Columns: values, expected tags, source. */
export const documents = rowsOf(`
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

/** The same pack on orders: execution class, inspection document, grades of the lines. */
export const orders = rowsOf(`
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
