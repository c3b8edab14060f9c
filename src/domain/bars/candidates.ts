import { profileKeysLike } from '../steel/steelProfile.ts'
import { searchFor } from '../steel/steelSearch.ts'
import { type SettableCode, severityOf } from '../verdict/releasePolicy.ts'
import { findSeverities, judge, stands, strictestClass } from '../verdict/verdict.ts'
import type { JudgedCertificate, VerdictFacts } from '../verdict/verdictFacts.ts'
import { heatOfSteel } from './heatOfSteel.ts'

/** The certificates that a bar could be cut with. */

/** The certificates to judge first, by the keys of their rows. */
export interface CandidateSearch {
  readonly exact: readonly string[]
  readonly suitable: readonly string[]
  /** Whether a certificate of any other steel may be taken, too. */
  readonly others: boolean
  /** The demanded profiles, as they are compared; empty when none is demanded, or when any may be taken. */
  readonly profiles: readonly string[]
}

/** Return the keys to look for. The first line with a grade decides them, and the verdict judges every line. */
export function searchOn({ bar, orders, policy }: VerdictFacts): CandidateSearch {
  const lines = orders.flatMap(({ lineItems }) => lineItems)
  const demanded = lines.find(({ grade }) => grade !== null)
  const blocks = (code: SettableCode) => severityOf(policy, code, strictestClass(orders)) === 'Block'
  const { exact, suitable } = searchFor(
    demanded?.grade ?? bar.grade,
    demanded ? { standard: demanded.standard } : {},
    !blocks('grade-substitute') ||
      [...orders, ...lines].some(({ allowedSubstitutes }) => allowedSubstitutes !== null),
  )
  const profiles = [...lines, bar].flatMap(({ profile }) =>
    profile === null ? [] : profileKeysLike(profile),
  )
  return {
    exact,
    suitable,
    others: !blocks('grade-mismatch') || !blocks('grade-unreadable'),
    profiles: blocks('profile-mismatch') ? [...new Set(profiles)] : [],
  }
}

/**
 * Return the facts of the bar with a candidate. Overrides count only with the certificate that the bar has. Its steel is
 * still to be fetched and read, unless somebody has read it already.
 */
export function factsWith(
  facts: VerdictFacts,
  candidate: { readonly certificate: JudgedCertificate } & Pick<VerdictFacts, 'sameHeat'>,
): VerdictFacts {
  const { certificate, sameHeat } = candidate
  const isOwn = certificate.millCertificationId === facts.certificate?.millCertificationId
  const heatNumber = heatOfSteel({ heatRead: facts.heatRead, certificate })!
  return {
    ...facts,
    certificate,
    sameHeat,
    heatRead: { heatNumber, marked: true },
    overrides: isOwn ? facts.overrides : [],
  }
}

/** 0: of the demanded steel and profile, without findings; 1: another that suits, without findings; 2: with Flags. */
export type CandidateRank = 0 | 1 | 2

/** Whether the tests of a certificate count for the bar: an option, a Z quality or an own rule looks at them. */
export function looksAtTests({ bar, orders, pairRules }: VerdictFacts): boolean {
  const asksMore = ({ options, grade }: VerdictFacts['orders'][number]['lineItems'][number]) =>
    options !== null || /Z\d/i.test(grade ?? bar.grade)
  return (
    pairRules.length > 0 ||
    orders.some(({ options, lineItems }) => options !== null || lineItems.some(asksMore))
  )
}

/**
 * Return the rank of a candidate; undefined when a Block stands against it. Findings of the order do not count, because
 * every certificate would have them.
 */
export function rankOf(facts: VerdictFacts, isExact: boolean): CandidateRank | undefined {
  // An override names keys, and hardly any candidate has one.
  const findings = facts.overrides.length > 0 ? judge(facts).findings : findSeverities(facts)
  if (findings.some(stands)) return undefined
  const own = findings.filter(({ millCertificationId }) => millCertificationId !== undefined)
  if (own.some(({ severity }) => severity !== 'Audit')) return 2
  return isExact ? 0 : 1
}
