import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { clock } from '../../../src/lib/clocks.ts'
import { createOwnRules } from '../../../src/rulePacks/ownRules/ownRules.ts'
import { lineItem } from '../../domain/verdict/facts.ts'
import { sized } from '../../support/size.ts'
import { certificateSubject, orderSubject } from '../shipped.ts'
import { generatedDocument } from './generatedDocument.ts'

/** Whatever a company writes is refused when it is sent, or evaluated on the largest subject within the time limit. */

/** The largest subjects take about 15 ms of CPU time for each case. */
const numRuns = sized(100, 2_000)

const ownRules = createOwnRules(clock)
afterAll(() => ownRules.close())

const long = 'S355J2+N '.repeat(60).slice(0, 500)
const largest = {
  millCert: certificateSubject({ grade: 'S355J2+N', manufacturer: long.slice(0, 200), thicknessMm: 12 }),
  order: orderSubject({
    customer: long.slice(0, 200),
    lineItems: Array.from({ length: 500 }, (_, n) => ({
      ...lineItem(n + 1),
      description: long,
      grade: 'S355J2',
    })),
  }),
}

it('refuses an expression, or evaluates it within its bound', async () => {
  let accepted = 0
  let number = 0
  await fc.assert(
    fc.asyncProperty(generatedDocument, async (written) => {
      const checked = await ownRules.check('fuzz', written)
      if (!('checked' in checked)) {
        expect(checked.faults.length).toBeGreaterThan(0)
        return
      }
      accepted += 1
      number += 1
      const packs = [{ hash: `fuzz ${number}`, document: async () => written }]
      for (const subject of Object.values(largest)) {
        const [outcomes] = await ownRules.evaluate('fuzz', packs, { subject, subscribed: [] })
        expect(outcomes!.length).toBeLessThanOrEqual(written.rules.length + 1)
      }
    }),
    { numRuns },
  )
  // Not everything may be refused: then nothing would have been evaluated.
  expect(accepted).toBeGreaterThan(numRuns / 4)
})
