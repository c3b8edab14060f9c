import { expect, it } from 'vitest'
import { faultText } from '../../src/portal/texts/faults.ts'

it.each([
  ['required', 'is missing', 'Enter a value.', 'Geben Sie einen Wert an.'],
  ['out-of-bounds', 'must have at least 1 member', 'Enter a value.', 'Geben Sie einen Wert an.'],
  [
    'out-of-bounds',
    'must have 10 to 500 characters',
    'must have 10 to 500 characters',
    'Erlaubt: 10 bis 500.',
  ],
  ['out-of-bounds', 'must have at most 50 characters', 'must have at most 50 characters', 'Höchstens 50.'],
  ['not-one-of', 'must be one of A, B', 'must be one of A, B', 'Das ist keiner der möglichen Werte.'],
  ['a-new-code', 'is odd', 'is odd', 'is odd'],
])('says %s: %s to a person', (code, message, english, german) => {
  expect([faultText({ code, message }, 'en'), faultText({ code, message }, 'de')]).toEqual([english, german])
})
