import { describe, expect, it } from 'vitest'
import { name, number, plainText, text } from '../../../../src/http/kit/schemas/fields.ts'

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

  it.each([
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u3164',
    '\ufe0f',
    '\u{e0041}',
    '\u180e',
    '\u115f',
    '\u1160',
    '\uffa0',
    '\u2800',
  ])('is refused with a character that takes no room, and the answer names it: %j', (unseen) => {
    const code = unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    const named = { error: { issues: [{ message: expect.stringContaining(`must not contain U+${code},`) }] } }
    expect(number.safeParse(`H 47${unseen}11`)).toMatchObject(named)
    expect(name.safeParse(`P${unseen}1`)).toMatchObject(named)
  })

  it('may be pasted with the byte order mark of a file around it, which counts as white space', () => {
    expect(number.parse('\ufeffH 1')).toBe('H 1')
  })

  it.each(['H  1', 'ÄÖÜ-1/2.3', '製-1', 'ח 1'])(
    'is taken as it was sent, but for white space around it: %j',
    (sent) => expect(number.parse(` ${sent}\r\n`)).toBe(sent),
  )
})

describe('a name', () => {
  it.each([
    'a\u0007b',
    'a\nb',
    '\u202ebackwards',
    'a\u2028b',
    'a\u2067b',
    'a\u200bb',
    'a\u00adb',
    'a\u2060b',
    'a\ufeffb',
  ])('is refused when it turns the text beside it, has several lines, or has marks without ink: %j', (sent) =>
    expect(name.safeParse(sent)).toMatchObject(refused),
  )

  it.each(['Pаint', 'Ηold', 'А1B'])('is refused when a word mixes scripts that look alike: %s', (sent) => {
    for (const schema of [name, number])
      expect(schema.safeParse(sent)).toMatchObject({
        error: { issues: [{ message: expect.stringMatching(/^must not mix/) }] },
      })
  })

  it.each(['Åsa Öberg', 'נועה (QA)', '🔧', 'Плавка A12'])('may be of any script: %j', (sent) =>
    expect(name.parse(` ${sent} `)).toBe(sent),
  )
})

describe('every text', () => {
  it('is kept in NFC and without white space around it, so that what was read is kept as it is', () => {
    for (const schema of [text(1, 20), plainText(20), number, name]) {
      const kept = schema.parse('\u00a0A\u030asa  O\u0308berg\n')
      expect(kept).toBe('\u00c5sa  \u00d6berg')
      expect(schema.parse(kept)).toBe(kept)
    }
  })

  it('is refused in a moment when a letter has very many marks, which take long to put in order', () => {
    const marks = `a${'\u0315\u0300'.repeat(30_000)}`
    const began = process.threadCpuUsage()
    for (const schema of [text(1, 500), number, name]) expect(schema.safeParse(marks).success).toBe(false)
    // The time of the processor, in microseconds.
    expect(process.threadCpuUsage(began).user).toBeLessThan(500_000)
  })

  it('has its bounds as it is kept', () => {
    expect(text(1, 3).parse('  A\u030abc ')).toBe('\u00c5bc')
    expect(text(1, 3).safeParse('   ').success).toBe(false)
  })
})
