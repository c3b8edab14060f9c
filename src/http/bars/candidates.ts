import { z } from 'zod'
import {
  type CandidateRank,
  factsWith,
  looksAtTests,
  rankOf,
  searchOn,
} from '../../domain/bars/candidates.ts'
import type { CertificateOfHeat } from '../../domain/bars/heatRead.ts'
import { notFound } from '../../domain/kernel/refusal.ts'
import { type Finding, judge } from '../../domain/verdict/verdict.ts'
import { completeFacts, type VerdictFacts } from '../../domain/verdict/verdictFacts.ts'
import { readAhead } from '../../lib/readAhead.ts'
import { finding } from '../../problems/finding.ts'
import {
  type CandidateFacts,
  type CandidatePlace,
  findCandidateFacts,
  listCandidatePlaces,
} from '../../projections/bars/candidates.ts'
import { type FoundFacts, findVerdictFacts, judgedFrom } from '../../projections/bars/verdicts.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { toDecide } from '../../projections/engine/reading/toDecide.ts'
import { etagOfBody } from '../kit/routing/etags.ts'
import { waitUntilReached } from '../kit/routing/minPosition.ts'
import { readHeaders, sendRead, unchanged } from '../kit/routing/readRoute.ts'
import { type PathParams, paramsOf, type Route } from '../kit/routing/route.ts'
import { certificateOfHeat } from './barSchema.ts'

/** The mill certificates that a bar could be cut with. */

/** The most certificates that are judged, and the most that are listed. */
const mostJudged = 1_000
const mostListed = 50
/** Certificates that are judged together. As a rule the first portion has enough to list. */
const portion = 100
/** When these are not enough, few large queries are quicker than many small ones. */
const largePortion = 300

const candidate = certificateOfHeat.extend({ findings: z.array(finding) }).meta({ id: 'Candidate' })

/** The route runs several queries, so that it judges as few certificates as the answer needs. */
function listCandidates(): Route {
  const declaration = {
    tag: 'Production plan bars',
    access: { company: 'view' },
    path: '/api/company/{companyId}/production-plan-bars/{barId}/candidates',
    operationId: 'listCandidates',
    summary: 'List the mill certificates that this bar could be cut with',
    description:
      'Lists the certificates that would leave no Block: first those of the demanded grade and profile without findings, then others without findings, then those with Flags; among equals the newest first. Audit findings and findings of the order do not count for this sequence. At most 1,000 certificates are judged, and at most 50 are listed. The ETag is for caches alone.',
  } as const
  return {
    ...declaration,
    method: 'get',
    params: paramsOf(declaration),
    query: z.strictObject({}),
    headers: readHeaders,
    body: undefined,
    responses: {
      200: {
        description: 'The list.',
        schema: z.array(candidate),
        headers: ['ETag', 'Read-Position', 'Truncated'],
      },
      304: unchanged,
    },
    problems: ['bar-not-found', 'facts-incomplete'],
    async answer(exchange, services) {
      const { params, headers } = exchange
      const { companyId, barId } = params as PathParams<typeof declaration.path>
      await waitUntilReached(services, judgedFrom, headers['min-position'])
      const { value: answer, position } = await toDecide(services.reader, companyId).read(
        judgedFrom,
        (reading) => findCandidates(reading, { companyId, barId }),
      )
      if (!answer) throw notFound('bar-not-found', barId)
      const bytes = Buffer.from(JSON.stringify(answer.candidates))
      await sendRead(exchange, { bytes, etag: etagOfBody(bytes), position, truncated: answer.truncated })
    },
  }
}

export const candidateRoutes: Route[] = [listCandidates()]

/** A candidate in the answer. */
interface Candidate extends CertificateOfHeat {
  readonly findings: readonly Finding[]
}

interface FoundCandidates {
  readonly candidates: readonly Candidate[]
  /** Whether there are more certificates to list or to judge. */
  readonly truncated: boolean
}

interface Ranked {
  readonly candidate: CandidateFacts
  /** The facts of the bar with this certificate. */
  readonly facts: VerdictFacts
  readonly rank: CandidateRank
}

/** Return undefined when there is no such bar. */
export async function findCandidates(
  reading: Reading,
  { companyId, barId }: { readonly companyId: string; readonly barId: string },
): Promise<FoundCandidates | undefined> {
  const [bar] = await reading.query<FoundFacts>(findVerdictFacts(reading, { companyId, barId, tried: null }))
  if (!bar) return undefined
  const facts = completeFacts(bar)
  const search = searchOn(facts)
  const testsCount = looksAtTests(facts)
  const listPlaces = (most: number) =>
    reading.query<CandidatePlace>(listCandidatePlaces(reading, companyId, search, most))
  const ranked: Ranked[] = []
  const isEnoughWith = (candidates: readonly CandidateFacts[], some: readonly CandidatePlace[]) => {
    ranked.push(...rankAll(facts, candidates, some))
    return isEnough(ranked, some.at(-1)!)
  }
  async function* factsOf(places: readonly CandidatePlace[]) {
    for (let n = 0; n < places.length; n += largePortion) {
      const some = places.slice(n, n + largePortion)
      const query = findCandidateFacts(reading, companyId, some, testsCount)
      yield { some, candidates: await reading.query<CandidateFacts>(query) }
    }
  }
  const first = await listPlaces(portion)
  for await (const { candidates, some } of factsOf(first))
    if (isEnoughWith(candidates, some)) return listInOrder(ranked, true)
  if (first.length < portion) return listInOrder(ranked, false)
  const places = await listPlaces(mostJudged + 1)
  for await (const { candidates, some } of readAhead(factsOf(places.slice(portion, mostJudged))))
    if (isEnoughWith(candidates, some)) return listInOrder(ranked, true)
  return listInOrder(ranked, places.length > mostJudged)
}

function rankAll(
  bar: VerdictFacts,
  candidates: readonly CandidateFacts[],
  places: readonly CandidatePlace[],
): Ranked[] {
  return candidates.flatMap((candidate, n) => {
    const { sameHeat } = candidate
    const facts = factsWith(bar, { certificate: candidate, sameHeat })
    const rank = rankOf(facts, places[n]!.isExact)
    return rank === undefined ? [] : [{ candidate, facts, rank }]
  })
}

/** Whether the list is full for sure: the certificates that follow are no better than the one at the last place. */
function isEnough(ranked: readonly Ranked[], { isExact }: CandidatePlace): boolean {
  return ranked.filter(({ rank }) => rank < (isExact ? 1 : 2)).length > mostListed
}

/** List the best first, and among equals the newest. */
function listInOrder(ranked: readonly Ranked[], truncated: boolean): FoundCandidates {
  const inOrder = ranked.toSorted(
    (one, other) =>
      one.rank - other.rank ||
      Date.parse(other.candidate.registeredAt) - Date.parse(one.candidate.registeredAt),
  )
  const candidates = inOrder.slice(0, mostListed).map(candidateOf)
  return { candidates, truncated: truncated || ranked.length > mostListed }
}

function candidateOf({ candidate, facts }: Ranked): Candidate {
  const { millCertificationId, certificateNumber, heatNumber, manufacturer, grade, profile, thicknessMm } =
    candidate
  const { findings } = judge(facts)
  return {
    millCertificationId,
    certificateNumber,
    heatNumber,
    manufacturer,
    grade,
    profile,
    thicknessMm,
    findings,
  }
}
