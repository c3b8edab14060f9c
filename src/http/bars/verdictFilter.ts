import { judgeBars } from '../../domain/verdict/judgedBars.ts'
import { type VerdictWord, wordOf, wordsFromWorst } from '../../domain/verdict/verdictWord.ts'
import { factsOfListed, openBarsOf } from '../../projections/bars/judgedBars.ts'
import { barList } from '../../projections/bars/productionQueries.ts'
import { judgedFrom } from '../../projections/bars/verdicts.ts'
import type { FilterableList } from '../../projections/engine/reading/filteredList.ts'
import type { Filter } from '../../projections/engine/reading/filters.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'

/**
 * Finds open bars by the word for their verdict. No row holds a verdict, because a change of a certificate, an order or
 * a policy would have to change the rows of all its bars. So the bars are judged when somebody asks.
 */
const verdict: Filter<VerdictWord> = {
  parameter: { kind: 'oneOf', values: wordsFromWorst },
  description: 'The word for the verdict as of now (docs/verdict.md) of a Draft, Approved or Started bar.',
  reads: judgedFrom,
  matches: async ({ reading, companyId, row, bind }, word) =>
    `${row}.bar_id = ANY(${bind(await openBarsWith(word, reading, companyId))}::uuid[])`,
}

/** The bars of a company, with every filter. */
export const judgedBarList: FilterableList = { ...barList, filters: { ...barList.filters, verdict } }

/** The page and the count of one request look at the same snapshot, which is judged once. */
const judged = new WeakMap<Reading, Promise<readonly string[]>>()

function openBarsWith(word: VerdictWord, reading: Reading, companyId: string): Promise<readonly string[]> {
  const barIds = judged.get(reading) ?? judgeOpenBars(word, reading, companyId)
  judged.set(reading, barIds)
  return barIds
}

async function judgeOpenBars(
  word: VerdictWord,
  reading: Reading,
  companyId: string,
): Promise<readonly string[]> {
  const isComplete = (await reading.lack(companyId)) === undefined
  const barIds: string[] = []
  const portions = openBarsOf(reading, companyId, word === 'stop' ? ['Started'] : undefined)
  for await (const { bars, facts } of portions) {
    const verdictOn = isComplete ? judgeBars(factsOfListed(bars, facts)) : undefined
    const certificates = new Set(facts.certificates.map((one) => one.millCertificationId))
    for (const { barId, status, millCertificationId } of bars) {
      const hasCertificate = certificates.has(millCertificationId ?? '')
      const findings = verdictOn?.get(barId)?.findings
      if (wordOf({ findings, hasCertificate, isStarted: status === 'Started' }) === word) barIds.push(barId)
    }
  }
  return barIds
}
