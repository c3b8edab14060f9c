import { describe, expect, it } from 'vitest'
import { offeredFor, ofProfile } from '../../../src/domain/bars/heatRead.ts'

describe('the certificates of a heat', () => {
  const one = (millCertificationId: string, profile: string | null) => ({
    millCertificationId,
    certificateNumber: millCertificationId,
    profile,
  })
  const [angle, beam, unstated] = [one('angle', 'L 60x6'), one('beam', 'HEA 200'), one('unstated', null)]
  const certificates = [angle, beam, unstated]

  it('suit a bar when their profile is that of a line, or is not stated', () => {
    expect(ofProfile({ certificates, profiles: ['HE 200 A'] })).toEqual([beam, unstated])
    expect(ofProfile({ certificates, profiles: ['HEA200', 'l 60×6'] })).toEqual(certificates)
    expect(ofProfile({ certificates, profiles: [] })).toEqual(certificates)
  })

  it('are not offered to a bar that has one of them', () => {
    const facts = { certificates, profiles: ['HEA 200'] }
    expect(offeredFor(facts, 'another')).toEqual([beam, unstated])
    expect(offeredFor(facts, null)).toEqual([beam, unstated])
    expect(offeredFor(facts, 'angle')).toEqual([])
  })
})
