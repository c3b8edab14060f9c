import { describe, expect, it } from 'vitest'
import { evaluateRulePack } from '../../src/rulePacks/evaluate.ts'
import { packOf } from './shipped.ts'
import { certificateOf } from './writtenCertificate.ts'

/** The values that the messages of rules show. */

function said(pack: string, ruleId: string, text: string): string {
  const found = evaluateRulePack(packOf(pack), certificateOf(text)).find(
    (outcome) => outcome.ruleId === ruleId,
  )
  expect(found?.result).toBe('matched')
  return found!.explanation
}

describe('the pack for slips', () => {
  it.each([
    ['N=52', 'nitrogen', '52 for nitrogen looks like ppm: 0.0052 %?'],
    ['C=16', 'carbon', '16 for carbon looks like hundredths of a per cent: 0.16 %?'],
    ['P=12', 'phosphorus', '12 for phosphorus looks like thousandths of a per cent: 0.012 %?'],
    ['S=18', 'sulphur', '18 for sulphur looks like thousandths of a per cent: 0.018 %?'],
    ['Al=32', 'aluminium', '32 for aluminium looks like thousandths of a per cent: 0.032 %?'],
    ['B=36', 'boron', '36 for boron looks like ppm: 0.0036 %?'],
    ['Ca=18', 'calcium', '18 for calcium looks like ppm: 0.0018 %?'],
    ['Si=35', 'silicon', '35 for silicon looks like hundredths of a per cent: 0.35 %?'],
    ['Mn=95', 'manganese', '95 for manganese looks like hundredths of a per cent: 0.95 %?'],
    ['Cu=32', 'copper', '32 for copper looks like hundredths of a per cent: 0.32 %?'],
    ['Nb=26', 'niobium', '26 for niobium looks like thousandths of a per cent: 0.026 %?'],
    ['Ti=28', 'titanium', '28 for titanium looks like thousandths of a per cent: 0.028 %?'],
    ['V=61', 'vanadium', '61 for vanadium looks like thousandths of a per cent: 0.061 %?'],
  ])('says of %s which unit it looks like', (value, element, words) => {
    expect(said('plausibility', `${element}-implausible`, `S355J2 Plate 20 ${value}`)).toContain(words)
  })

  it.each([
    [197, '1358 MPa if it is ksi, 1932 MPa if it is kgf/mm²'],
    [195, '1345 MPa if it is ksi, 1912 MPa if it is kgf/mm²'],
    [194, '1338 MPa if it is ksi, 1903 MPa if it is kgf/mm²'],
  ])('says what a tensile strength of %d would be in MPa', (rm, words) => {
    const text = `S355J2 Plate 20 rm=${rm} reH=?`
    expect(said('plausibility', 'tensile-strength-implausible', text)).toContain(words)
  })
})

describe('the rules on tests', () => {
  it.each([
    ['en10025-2-mechanical', 'S355J2 Plate 20', ''],
    ['hollow-sections', 'S355J2H HollowSection 20 standard=EN_10210-1', 'hollow-'],
  ])('of %s show the values that they judge', (pack, steel, prefix) => {
    const of = (ruleId: string, tests: string) => said(pack, `${prefix}${ruleId}`, `${steel} ${tests}`)
    expect(of('charpy-energy-low', 'tests=20/20/20@-20;50/50/50@ tensile=rm500')).toContain('shows 20 J')
    expect(of('charpy-tested-too-warm', 'tests=60/60/60@0;50/50/50@ tensile=rm500')).toContain('at 0 °C')
    expect(of('charpy-single-value-low', 'tests=9/60/60@-20;50/51/52@')).toContain('9, 60, 50, 51, 52 J')
    expect(of('elongation-of-a-test-low', 'tensile=a9l;e8l;rm500 tests=60/60/60@-20')).toContain('A is 9 %')
    expect(of('other-proof-strength-low', 'tensile=re400;rp300+re400;rp280;rm500')).toContain('of 280 MPa')
  })
})
