import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '../../rulePacks/markdown.ts'
import { packOf } from '../../rulePacks/shipped.ts'
import { certificateOf } from '../../rulePacks/writtenCertificate.ts'
import { startTestService, type TestService } from '../../support/testService.ts'

/**
 * Certificates of a steel yard through the running service, with every shipped pack: their tags, the fields that rules
 * missed, and the gravest finding. A value that is not listed is sound. `test/rulePacks` has both sides of each limit.
 */

const table = rowsOf(`
  | S355J2+N Plate 20 C=0.16 Si=0.35 Mn=1.42 P=0.012 S=0.004 Cu=0.03 reH=385 rm=520 a=27 | – | – | – |
  | S235JR+AR Section 12.5 C=0.12 Mn=0.65 P=0.021 S=0.018 Cu=0.28 reH=290 rm=410 a=33 | –     | – | – |
  | S275JR+AR Bar 63 reH=255 a=22                       | –                      | – | – |
  | S275JR+AR Bar 63.5 reH=244 a=21                     | outside-limits         | – | Block |
  | S355J2+N Plate 16 reH=354.6                         | –                      | – | – |
  | S355J2+N Plate 16.01 reH=345                        | –                      | – | – |
  | S355J2+N Plate 80 reH=325 C=0.22                    | –                      | – | – |
  | S355K2+N Plate 150 reH=294                          | outside-limits         | – | Block |
  | S_355_J2_normalgeglüht Plate 20 standard=DIN_EN_10025-2:2019-10 | – | – | – |
  | 1.0577+N Plate 25 standard=EN_10025:2004            | –                      | – | – |
  | S235JRC+N Plate 6 reH=290                                 | –                      | – | – |
  | S355JO+N Plate 20 kt=0                              | –                      | – | – |
  | S235JR+AR Plate 16 reH=290 P=0.049                        | above-product-analysis | – | Block |
  | S235JR+AR Section 16 reH=290 P=0.049                      | above-ladle-analysis   | – | Flag |
  | S355J2+N Plate 20 P=0.027 analysis=ladle            | above-product-analysis | – | Block |
  | S355J2+N Plate 20 C=0.22 Mn=1.65 P=0.033 analysis=product statedCev=0.44 | – | – | – |
  | S355J2C+N Coil 4 C=0.22 analysis=ladle kv=? kt=?    | above-ladle-analysis   | – | Flag |
  | S355J0+N Plate 20 kt=0 N=0.013 Al=0.005             | above-ladle-analysis   | – | Flag |
  | S355J2+N Plate 20 V=? statedCev=0.43                | –                      | – | – |
  | S355J2+N Plate 20 P=?                               | not-judged             | chemistry.P | Flag |
  | S355J2+N Plate –                                    | incomplete not-judged  | thicknessMm | Flag |
  | S355K2+N Plate 40 kv=27 kt=-30                      | –                      | – | – |
  | S355K2+N Plate 40 tests=60/40/27@-20                | charpy-outside-limits | – | Block |
  | S355J2+N_/_S355K2+N Plate 30 kv=38                  | charpy-outside-limits | – | Block |
  | S355J2+N Plate 8 tests=20/22/21@-20w7.5             | –                      | – | – |
  | S355J2+N Plate 20 tensile=rm540;rm640               | outside-limits         | – | Block |
  | S355J2+N Plate 20 reH=? tensile=rp380               | –                      | – | – |
  | S355J2+N_Z25 Plate 30                               | mechanical-not-checked | – | Flag |
  | S355J2+AR Plate 20 deliveryCondition=+N P=0.20      | above-product-analysis chemistry-not-checked mechanical-not-checked | – | Block |
  | S355J2H HollowSection 8 standard=EN_10219-1         | –                      | – | – |
  | S355J2H HollowSection 20 standard=EN_10210-1_/_EN_10219-1 C=0.20 Mn=1.5 | hollow-to-be-judged | – | Flag |
  | S355J2H HollowSection 8 standard=?                  | incomplete hollow-not-checked | – | Flag |
  | S420NH HollowSection 10 standard=EN_10210-1 rm=600 Mn=1.2 | –               | – | – |
  | S355NL Plate 30 standard=EN_10025-3 kv=40 kt=-40    | normalised-to-be-judged | – | Flag |
  | S355ML Plate 30 kv=20 kt=-50 standard=EN_10025-4    | thermomechanical-to-be-judged | – | Flag |
  | S355J2W+N Plate 15 standard=EN_10025-5 Cu=0.4 Cr=0.6 | chemistry-not-checked mechanical-not-checked | – | Flag |
  | S690QL Plate 25 standard=EN_10025-6 kt=-40          | chemistry-not-checked mechanical-not-checked | – | Flag |
  | 1.4301 Plate 5 standard=EN_10088-2 Cr=18.2 Ni=8.1 N=0.06 reH=? a=62 | chemistry-not-checked mechanical-not-checked | – | Flag |
  | B500B Bar – standard=BS_4449 reH=540 rm=600 nominalDiameterMm=16 | rebar-not-checked | – | Flag |
  | S355J2+N Plate 20 N=52                              | implausible            | – | Flag |
  | S355J2+N Plate 20 reH=520 rm=380                    | implausible outside-limits | – | Block |
  | S355J2+N Plate 20 inspectionDocument=2.2            | document-too-low       | – | Block |
  | S275J2+N Plate 20 reH=330 inspectionDocument=2.2          | document-to-be-judged  | – | Flag |
  | S235JR+AR Section 20 inspectionDocument=2.2 reH=290 Cu=? V=? Mo=? | –                | – | – |`)

const packs = [
  'bs4449',
  'completeness',
  'en10025-2-chemistry',
  'en10025-2-mechanical',
  'en10025-3',
  'en10025-4',
  'en1090-2-inspection-documents',
  'fine-grain-hollow-sections',
  'hollow-sections',
  'plausibility',
]
const keyOf = new Map(packs.flatMap((pack) => packOf(pack).document.tags.map(({ name, key }) => [name, key])))

/** Return the body that registers a certificate. Each has a heat of its own, so that none is judged by another's. */
function bodyOf(text: string, number: number) {
  const { chemistry, ...content } = certificateOf(text).content as Extract<
    ReturnType<typeof certificateOf>,
    { family: 'millCert' }
  >['content']
  const stated = Object.entries(chemistry ?? {}).filter(([, value]) => value !== null)
  return {
    ...content,
    chemistry: Object.fromEntries(stated),
    certificateNumber: `MC-${number}`,
    heatNumber: `H-${number}`,
  }
}

interface Shown {
  readonly tags: readonly { name: string }[]
  readonly notJudged: readonly { missing: readonly string[] }[]
  readonly findings: readonly { severity: string }[]
}

describe('a certificate that is registered', () => {
  let service: TestService
  const shown = new Map<string, Shown>()
  beforeAll(async () => {
    service = await startTestService()
    for (const pack of packs) await service.send('admin', 'POST', `rule-packs/${pack}/subscribe`)
    for (const [number, [text]] of table.entries()) {
      const { status, body } = await service.send('planner', 'POST', 'millcert/certificates', {
        body: bodyOf(text!, number),
      })
      expect([status, body.errors]).toEqual([201, undefined])
      const { millCertificationId } = body
      const answer = await service.send('viewer', 'GET', `millcert/certificates/${millCertificationId}`)
      shown.set(text!, answer.body)
    }
  })
  afterAll(() => service?.stop())

  it.each(table as [string, string, string, string][])(
    'as %s has the tags %s',
    (text, tags, missing, worst) => {
      const { tags: found, notJudged, findings } = shown.get(text)!
      const keys = found.map(({ name }) => keyOf.get(name) ?? (name === 'Not judged' ? 'not-judged' : name))
      expect(keys.sort()).toEqual(tags === '–' ? [] : tags.split(' ').sort())
      const fields = new Set(notJudged.flatMap((pack) => pack.missing))
      expect([...fields]).toEqual(missing === '–' ? [] : [`certificate.${missing}`])
      const severities = findings.map(({ severity }) => severity)
      expect(['Block', 'Flag'].find((one) => severities.includes(one)) ?? '–').toBe(worst)
    },
  )
})
