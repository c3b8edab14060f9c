import { expect, it } from 'vitest'
import { matched } from './shipped.ts'
import { certificateOf } from './writtenCertificate.ts'

/** Mass of an element that binds one part of nitrogen, from the atomic masses: Ti 47.87, Nb 92.91, V 50.94, … and N 14.01. */
const massPerNitrogen = [
  ['Ti', 3.42],
  ['Nb', 6.63],
  ['V', 3.64],
  ['B', 0.77],
  ['Zr', 6.51],
] as const

/** The nitrogen that is left blocks from half a step above 0.014 % and 0.027 % on. Both certificates have 0.0035 % more. */
const certificates = [
  ['en10025-2-chemistry', 'nitrogen-above-product-analysis', 'S355JR Plate 20 N=0.018 Al=0.005'],
  [
    'hollow-sections',
    'hollow-nitrogen-outside',
    'S355J0H HollowSection 10 standard=EN_10210-1 N=0.031 Al=0.005',
  ],
] as const

it.each(certificates.flatMap((one) => massPerNitrogen.map((element) => [...one, ...element] as const)))(
  '%s: %s, where %s has an element that binds nitrogen: %s, %d times its mass',
  (pack, rule, text, element, mass) => {
    const blocks = (perNitrogen: number) =>
      matched(pack, certificateOf(`${text} ${element}=${(0.0035 * perNitrogen).toFixed(8)}`)).includes(rule)
    expect([blocks(mass - 0.005), blocks(mass + 0.005)]).toEqual([true, false])
  },
)

it('is bound by all elements together', () => {
  for (const [pack, rule, text] of certificates) {
    const shares = massPerNitrogen.map(([element, mass]) => `${element}=${(0.0008 * mass).toFixed(5)}`)
    const blocks = (found: readonly string[]) =>
      matched(pack, certificateOf(`${text} ${found.join(' ')}`)).includes(rule)
    expect(blocks(shares)).toBe(false)
    for (const share of shares) expect(blocks(shares.filter((other) => other !== share))).toBe(true)
  }
})
