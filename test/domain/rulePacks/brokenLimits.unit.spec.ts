import { describe, expect, it } from 'vitest'
import { brokenLimits } from '../../../src/domain/rulePacks/brokenLimits.ts'

describe('the limits that a rule has found broken', () => {
  it('are those that a rounded value breaks, and not the conditions under which the rule applies', () =>
    expect(
      brokenLimits(
        'blocks && rounded(certificate.mechanical.kvJoule, steps.KV) < minimum && certificate.mechanical.kvTemperatureC >= temperature[steel.quality]',
        {
          'certificate.mechanical.kvJoule': 22,
          'certificate.mechanical.kvTemperatureC': -20,
          minimum: 27,
          'temperature[steel.quality]': -20,
          'steps.KV': 1,
        },
      ),
    ).toEqual([{ name: 'certificate.mechanical.kvJoule', value: 22, limit: 27, isTooSmall: true }]))

  it('are numbers or other values, and each comparison is shown that holds', () =>
    expect(
      brokenLimits(
        'certificate.chemistry.P > 0.035 || certificate.chemistry.PS > limit || own.certificate.chemistry.P > 0.01',
        { 'certificate.chemistry.P': 0.04, 'certificate.chemistry.PS': 0.02, limit: 0.03 },
      ).map(({ name, limit }) => [name, limit]),
    ).toEqual([['certificate.chemistry.P', 0.035]]))
})
