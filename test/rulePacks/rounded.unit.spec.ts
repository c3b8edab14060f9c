import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roundTo } from '../../src/rulePacks/language.ts'
import { packs } from './shipped.ts'

const steps = [1, 0.5, 0.1, 0.01, 0.001, 0.0001]
const step = fc.constantFrom(...steps)
/** A figure as a certificate prints it: an integer, divided by a power of ten. */
const figure = fc.tuple(fc.nat(9_999_999), fc.nat(5)).map(([digits, decimals]) => ({ digits, decimals }))
const valueIn = ({ digits, decimals }: { digits: number; decimals: number }) =>
  Number(`${digits}e-${decimals}`)

describe('rounding', () => {
  it.each([
    [0.194, 0.01, 0.19],
    [0.195, 0.01, 0.2],
    [1.005, 0.01, 1.01],
    [0.3504, 0.01, 0.35],
    [21.7, 0.5, 21.5],
    [21.75, 0.5, 22],
    [21.8, 0.5, 22],
    [344.4, 1, 344],
    [344.5, 1, 345],
  ])('brings %f to steps of %f as %f', (value, by, expected) => {
    expect(roundTo(value, by)).toBe(expected)
  })

  it('gives the decimal figure half up, exactly', () => {
    fc.assert(
      fc.property(figure, fc.constantFrom(0, 1, 2, 3, 4), (printed, decimals) => {
        const scale = 10n ** BigInt(5 - printed.decimals)
        const unit = 10n ** BigInt(5 - decimals)
        const halfUp = (BigInt(printed.digits) * scale * 2n + unit) / (2n * unit)
        expect(roundTo(valueIn(printed), Number(`1e-${decimals}`))).toBe(Number(`${halfUp}e-${decimals}`))
      }),
    )
  })

  it('moves a value by half a step at most, and leaves a rounded one alone', () => {
    fc.assert(
      fc.property(figure, step, (printed, by) => {
        const value = valueIn(printed)
        const once = roundTo(value, by)
        expect(Math.abs(once - value)).toBeLessThanOrEqual(by / 2 + 1e-6)
        expect(roundTo(once, by)).toBe(once)
      }),
    )
  })

  it('keeps the order of values', () => {
    fc.assert(
      fc.property(figure, figure, step, (a, b, by) => {
        const [less, more] = [valueIn(a), valueIn(b)].sort((x, y) => x - y) as [number, number]
        expect(roundTo(less, by)).toBeLessThanOrEqual(roundTo(more, by))
      }),
    )
  })
})

describe('each limit', () => {
  const limits = packs.flatMap(({ document }) => {
    const { steps: declared, ...tables } = document.tables ?? {}
    return Object.entries(tables).flatMap(([name, { of, values }]) =>
      of
        ? [{ where: `${document.id} ${document.version} ${name}`, of, values, declared: declared!.values }]
        : [],
    )
  })

  it.each(limits)('of $where is a multiple of its step', ({ of, values, declared }) => {
    const stepOf = declared as Readonly<Record<string, number>>
    const check = (value: unknown, property: string): void => {
      if (typeof value === 'number') expect(roundTo(value, stepOf[property]!)).toBe(value)
      else if (Array.isArray(value)) for (const one of value) check(one, property)
      else if (value !== null)
        for (const [key, inner] of Object.entries(value as object))
          if (key !== 'upToMm') check(inner, of === 'element' && key in stepOf ? key : property)
    }
    check(values, of)
  })
})
