import { expect, it } from 'vitest'
import { faultText } from '../../src/portal/texts/faults.ts'

it.each([
  ['required', 'is required', 'Enter a value.', 'Geben Sie einen Wert an.'],
  ['out-of-bounds', 'must have at least 1 member', 'Choose at least one.', 'Wählen Sie mindestens eines.'],
  [
    'out-of-bounds',
    'must have 10 to 500 characters',
    'Enter 10 to 500 characters.',
    'Geben Sie 10 bis 500 Zeichen an.',
  ],
  [
    'out-of-bounds',
    'must have at most 50 characters',
    'Enter at most 50 characters.',
    'Geben Sie höchstens 50 Zeichen an.',
  ],
  ['out-of-bounds', 'must be a whole number from 1 to 720', 'Enter 1 to 720.', 'Geben Sie 1 bis 720 an.'],
  [
    'out-of-bounds',
    'must have at most 1,000 members',
    'Enter at most 1,000 entries.',
    'Geben Sie höchstens 1000 Einträge an.',
  ],
  [
    'out-of-bounds',
    'must be at most 12,000.5',
    'Enter at most 12,000.5.',
    'Geben Sie höchstens 12\u00a0000,5 an.',
  ],
  ['out-of-bounds', 'must be at least 0', 'Enter at least 0.', 'Geben Sie mindestens 0 an.'],
  [
    'wrong-type',
    'must be a number, but is "1,2.3"',
    'Enter a plain number, such as 12000 or 0.5.',
    'Geben Sie eine eindeutige Zahl an, etwa 12000 oder 0,5.',
  ],
  [
    'wrong-format',
    'must be a date, as in 2026-03-31',
    'Enter a date, such as 2026-03-31.',
    'Geben Sie ein Datum an, etwa 2026-03-31.',
  ],
  [
    'wrong-format',
    'must be an e-mail address',
    'Enter an e-mail address, such as erika@example.org.',
    'Geben Sie eine E-Mail-Adresse an, etwa erika@example.org.',
  ],
  [
    'required',
    'The body is empty. Send the file as the body.',
    'The file is empty. Choose another one.',
    'Die Datei ist leer. Wählen Sie eine andere.',
  ],
  ['not-one-of', 'must be one of A, B', 'It must be one of A, B.', 'Das ist keiner der möglichen Werte.'],
  ['a-new-code', 'Odd.', 'Odd.', 'Odd.'],
])('says %s: %s to a person', (code, message, english, german) => {
  expect([faultText({ code, message }, 'en'), faultText({ code, message }, 'de')]).toEqual([english, german])
})
