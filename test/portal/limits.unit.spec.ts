import { describe, expect, it } from 'vitest'
import { brokenLimits } from '../../src/portal/screens/tags/subjects/limits.ts'

/** The limits that the screens show beside a value, as rules have found them. */

const judged = (expression: string, values: Record<string, unknown>) =>
  brokenLimits({ expression, values, result: 'matched', clause: '7.3' } as Parameters<typeof brokenLimits>[0])

describe('the limits beside a value', () => {
  it('are those that a rounded value breaks, and not the conditions under which the rule applies', () =>
    expect(
      judged(
        'blocks && rounded(certificate.mechanical.kvJoule, steps.KV) < minimum && certificate.mechanical.kvTemperatureC >= temperature[steel.quality]',
        {
          'certificate.mechanical.kvJoule': 22,
          'certificate.mechanical.kvTemperatureC': -20,
          minimum: 27,
          'temperature[steel.quality]': -20,
          'steps.KV': 1,
        },
      ),
    ).toEqual([
      { name: 'certificate.mechanical.kvJoule', value: 22, limit: 27, isTooSmall: true, clause: '7.3' },
    ]))

  it('are numbers or other values, and each comparison is shown that holds', () =>
    expect(
      judged(
        'certificate.chemistry.P > 0.035 || certificate.chemistry.PS > limit || own.certificate.chemistry.P > 0.01',
        { 'certificate.chemistry.P': 0.04, 'certificate.chemistry.PS': 0.02, limit: 0.03 },
      ).map(({ name, limit }) => [name, limit]),
    ).toEqual([['certificate.chemistry.P', 0.035]]))

  it('are none of a rule that could not judge', () =>
    expect(
      brokenLimits({ expression: 'a > 1', values: { a: 2 }, result: 'not-evaluated', clause: '' }),
    ).toEqual([]))
})
