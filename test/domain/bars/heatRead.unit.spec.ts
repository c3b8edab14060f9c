import { describe, expect, it } from 'vitest'
import { type CertificateOfHeat, findOffers, ofHeat } from '../../../src/domain/bars/heatRead.ts'

describe('the certificates of a heat', () => {
  const one = (millCertificationId: string, profile: string | null, heatNumber = 'C 90771') =>
    ({ millCertificationId, heatNumber, profile }) as CertificateOfHeat
  const [angle, beam, unstated] = [one('angle', 'L 60x6'), one('beam', 'HEA 200'), one('unstated', null)]
  const certificates = [angle, beam, unstated]

  it('suit a bar when their profile is that of a line, or is not stated', () => {
    const suiting = (...profiles: string[]) => ofHeat({ certificates, profiles }, 'c 90771')
    expect(suiting('HE 200 A')).toEqual([beam, unstated])
    expect(suiting('HEA200', 'l 60×6')).toEqual(certificates)
    expect(suiting()).toEqual(certificates)
  })

  it('are not offered to a bar that has one of them', () => {
    const facts = { certificates, profiles: ['HEA 200'] }
    const offered = (present: string | null) => findOffers(facts, 'C 90771', present)
    expect(offered('another')).toEqual([beam, unstated])
    expect(offered(null)).toEqual([beam, unstated])
    expect(offered('angle')).toEqual([])
  })

  it('are offered under a number that people take for the one that was read, if none has it exactly', () => {
    const near = one('near', null, 'C90771')
    const facts = { certificates: [...certificates, near], profiles: ['HEA 200'] }
    expect(findOffers(facts, 'c90771', null)).toEqual([near])
    expect(ofHeat(facts, 'c9077I')).toEqual([])
    expect(findOffers(facts, 'c9077I', null)).toEqual([beam, unstated, near])
    expect(findOffers(facts, 'c9077I', 'near')).toEqual([])
  })
})
