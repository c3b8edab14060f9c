import { judgeBars } from '../../domain/verdict/judgedBars.ts'
import { type VerdictWord, wordOf, wordsFromWorst } from '../../domain/verdict/verdictWord.ts'
import { readAhead } from '../../lib/readAhead.ts'
import { factsOfListed, openBarsOf } from '../../projections/bars/judgedBars.ts'
import { barList } from '../../projections/bars/productionQueries.ts'
import { judgedFrom } from '../../projections/bars/verdicts.ts'
import type { Derivation, Derive } from '../../projections/engine/reading/derivedValues.ts'
import type { FilterableList } from '../../projections/engine/reading/filteredList.ts'
import type { Filter } from '../../projections/engine/reading/filters.ts'

/**
 * Finds open bars by the word for their verdict. No row holds a verdict, because a change of a certificate, an order or
 * a policy would have to change the rows of all its bars. So the bars are judged when somebody asks.
 */

/** Return the list of the bars of a company, with every filter. */
export function judgedBarList(derive: Derive): FilterableList {
  const verdict: Filter<VerdictWord> = {
    parameter: { kind: 'oneOf', values: wordsFromWorst },
    description: 'The word for the verdict as of now (docs/verdict.md) of a Draft, Approved or Started bar.',
    reads: judgedFrom,
    matches: async ({ reading, companyId, row, bind }, word) => {
      const barIds = (await derive(openBarsByWord, reading, companyId)).get(word) ?? []
      return `${row}.bar_id = ANY(${bind(barIds)}::uuid[])`
    },
  }
  return { ...barList, filters: { ...barList.filters, verdict } }
}

/** The bytes that an id takes in memory, roughly. */
const idBytes = 100

const openBarsByWord: Derivation<ReadonlyMap<VerdictWord, readonly string[]>> = {
  name: 'open bars by the word for their verdict',
  reads: judgedFrom,
  sizeOf: (byWord) => [...byWord.values()].reduce((sum, barIds) => sum + barIds.length * idBytes, 0),
  async compute(reading, companyId) {
    const isComplete = (await reading.lack(companyId)) === undefined
    const byWord = new Map<VerdictWord, string[]>(wordsFromWorst.map((word) => [word, []]))
    for await (const { bars, facts } of readAhead(openBarsOf(reading, companyId))) {
      const verdictOn = isComplete ? judgeBars(factsOfListed(bars, facts)) : undefined
      const certificates = new Set(facts.certificates.map((one) => one.millCertificationId))
      for (const { barId, status, millCertificationId } of bars) {
        const hasCertificate = certificates.has(millCertificationId ?? '')
        const findings = verdictOn?.get(barId)?.findings
        byWord.get(wordOf({ findings, hasCertificate, isStarted: status === 'Started' }))!.push(barId)
      }
    }
    return byWord
  },
}
