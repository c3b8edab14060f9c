import { describe, expect, it } from 'vitest'
import { orderIdOf } from '../../../src/domain/kernel/identifiers.ts'
import { faultOfLook } from '../../../src/domain/kernel/lookAlikes.ts'
import { isSpelledAlike, lookKey, nameKey, nearKey, normalise } from '../../../src/domain/kernel/spellings.ts'
import { companyId } from '../../support/given.ts'

describe('letters that look like Latin ones', () => {
  it.each([
    ['Н 4712', 'H 4712'],
    ['н 4712', 'h 4712'],
    ['Η 4712', 'H 4712'],
    ['Ｈ 4712', 'H 4712'],
    ['47З-ІІ', '473-II'],
    ['АВСЕКМОРТХ', 'ABCEKMOPTX'],
  ])('make %s the same number as %s', (deceiving, plain) => {
    expect(normalise(deceiving)).toBe(normalise(plain))
    expect(lookKey(deceiving)).toBe(lookKey(plain))
    expect(orderIdOf(companyId, deceiving)).toBe(orderIdOf(companyId, plain))
  })

  it('leave it another spelling, unless it is only wide', () => {
    expect(isSpelledAlike('Н 4712', 'H 4712')).toBe(false)
    expect(isSpelledAlike('Ｈ  4712', 'h 4712')).toBe(true)
  })

  it.each(['H‐4712/1', 'H‑4712/1', 'H–4712/1', 'H—4712/1', 'H−4712∕1', 'H－4712⁄1'])(
    'have one hyphen and one slash: %s is H-4712/1',
    (text) => {
      expect(isSpelledAlike(text, 'H-4712/1')).toBe(true)
      expect(normalise(text)).toBe('H-4712/1')
    },
  )

  it.each([
    ['C 90771', 'C90771'],
    ['c-90.77/1', 'C 9O77I'],
    ['H 0', 'h o'],
    ['H 1', 'Hl'],
    ['Н 4712', 'H-4712'],
  ])('may be taken for another number: %s is near to %s', (left, right) => {
    expect(nearKey(left)).toBe(nearKey(right))
  })

  it.each([
    ['C 90771', 'C 90772'],
    ['H 4712', 'K 4712'],
    ['4712', '47120'],
    ['H 5', 'H S'],
  ])('are not near: %s and %s', (left, right) => {
    expect(nearKey(left)).not.toBe(nearKey(right))
  })

  it('differ by case', () => {
    expect(nameKey('Н')).not.toBe(nameKey('H'))
  })

  it.each([
    ['H 0', 'H O'],
    ['H 1', 'H I'],
    ['H I', 'H L'],
    ['Ø 1', 'O 1'],
    ['Ж', 'X'],
    ['Σ', 'E'],
  ])('are none within Latin, or where they differ: %s is not %s', (one, other) =>
    expect(normalise(one)).not.toBe(normalise(other)),
  )
})

describe('a word', () => {
  it.each([
    ['НR-4712', 'Latin and Cyrillic'],
    ['Pаint', 'Latin and Cyrillic'],
    ['1 Ηold', 'Latin and Greek'],
    ['ТΑ', 'Cyrillic and Greek'],
    ['sοft', 'Latin and Greek'],
  ])('may not mix scripts that look alike: %s', (text, scripts) =>
    expect(faultOfLook(text)).toContain(`mix ${scripts} letters`),
  )

  it.each(['ᕼ 4712', 'Ꮋ 4712', 'ꓧ 4712', 'ⲎEA', '𐐄12', 'ⵔ12', 'ᒪ-1'])(
    'may not have letters of scripts that are hardly in use: %s',
    (text) => expect(faultOfLook(text)).toContain(`must not contain ${[...text][0]}`),
  )

  it.each(['H ١١١', 'H 47१2', '๐1'])('has no digits but 0 to 9: %s', (text) =>
    expect(faultOfLook(text)).toContain('use 0 to 9'),
  )

  it.each([
    'H １２ ² Ⅳ ½',
    'Müller Łódź Ångström',
    '12Х18Н10Т',
    'Плавка A12',
    'Ø12 ⌀12 µm kΩ ΔT',
    '製A級-1',
    'חום A',
    'テストa',
    'Ιωάννης',
    'E=σ/ε',
    'Å',
  ])('may have letters that deceive nobody: %s', (text) => expect(faultOfLook(text)).toBeUndefined())
})
