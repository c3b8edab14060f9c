import { describe, expect, it } from 'vitest'
import { name, number } from '../../../../src/http/kit/schemas/fields.ts'

/** The fields that several schemas share. */

const refused = {
  success: false,
  error: { issues: [{ message: expect.stringMatching(/^must not contain/) }] },
}

describe('an identifying number', () => {
  it.each(['H\u0000 1', 'H\t1', 'H\u001b[31m1', 'H\u009b1', 'H\u202e1', 'H 1\u200e', '\u2066H 1\u2069'])(
    'is refused with a character that nobody sees: %j',
    (sent) => expect(number.safeParse(sent)).toMatchObject(refused),
  )

  it.each(['H 1', ' H  1\r\n', 'ÄÖÜ-1/2.3', '製-1', 'ח 1'])('is taken as it was sent: %j', (sent) =>
    expect(number.parse(sent)).toBe(sent),
  )
})

describe('a name', () => {
  it.each(['a\u0007b', 'a\nb', '\u202ebackwards', 'a\u2028b', 'a\u2067b'])(
    'is refused when it turns the text beside it, or has several lines: %j',
    (sent) => expect(name.safeParse(sent)).toMatchObject(refused),
  )

  it.each(['Åsa Öberg', 'נועה\u200f (QA)', '👩‍🔧'])('may be of any script: %j', (sent) =>
    expect(name.parse(` ${sent} `)).toBe(sent),
  )
})
