import { brokenLimits } from '../domain/rulePacks/brokenLimits.ts'
import { notJudgedRule, notJudgedRuleId } from '../domain/rulePacks/notJudged.ts'
import type { Evidence, RuleBook, RuleOutcome, RuleSubject } from '../domain/rulePacks/ruleBook.ts'
import { explanationWith, explanationWithout, type Rule, rulesOf } from '../domain/rulePacks/rulePackRules.ts'
import type { Language } from '../domain/verdict/findingTexts.ts'
import { inEnglishToo, type Sentence, sentence } from '../domain/verdict/sentence.ts'
import { Failure } from '../lib/failure.ts'
import type { Reading } from '../projections/engine/reading/reader.ts'
import {
  type Explained,
  type FoundFinding,
  type FoundMatch,
  listFindings,
  listMatches,
  type RulePackVersionRef,
  type SubjectKey,
  type TaggedSubject,
} from '../projections/rulePacks/explanations.ts'
import {
  type FoundVersion,
  listOwnVersions,
  listSubscribedPacks,
  type SubscribedPack,
} from '../projections/rulePacks/rulePackQueries.ts'
import { findContent } from '../projections/tags/subjects.ts'
import { germanExplanations } from './german.ts'
import type { OwnRules } from './ownRules/ownRules.ts'
import type { PackContent } from './rulePack.ts'

/**
 * Explain the findings of a subject. An event names the rule, and the values that a matched rule saw. The document of
 * the version that made the finding has the rest, and a version never changes. The values that other rules saw follow
 * from the subject: the pack is evaluated again for them.
 */

interface ExplainMeans {
  readonly rules: RuleBook
  readonly ownRules: Pick<OwnRules, 'evaluate'>
}

/** An evaluation of a company's rules that has not begun by then gives up, because it holds a connection. */
const patienceMs = 2_000

/** @throws Failure `rules-not-evaluated` */
export async function explainFindings(
  reading: Reading,
  subject: SubjectKey,
  means: ExplainMeans,
): Promise<readonly Explained[]> {
  const findings = await reading.query<FoundFinding>(listFindings(reading, subject))
  if (findings.length === 0) return []
  const byPack = [...Map.groupBy(findings, ({ rulePackId }) => rulePackId).values()]
  const versions = byPack.map(([first]) => first!)
  const written = await reading.query<FoundVersion>(listOwnVersions(reading, subject.companyId, versions))
  const saw = await valuesSeen(reading, subject, means, byPack, written)
  return byPack.flatMap((ofPack) => {
    const rules = rulesOfVersion(ofPack[0]!, written, means.rules)
    return ofPack.map((finding) => explain(finding, rules.get(finding.ruleId), saw(finding)))
  })
}

/** A rule that has assigned a tag. */
export interface TaggingRule extends TaggedSubject, Pick<Explained, 'clause' | 'limits'> {}

/** Explain in short why rules have assigned these tags. A tag that a person has put on has no rule. */
export async function explainTags(
  reading: Reading,
  companyId: string,
  tagged: readonly TaggedSubject[],
  rules: RuleBook,
): Promise<readonly TaggingRule[]> {
  if (tagged.length === 0) return []
  const matches = await reading.query<FoundMatch>(listMatches(reading, companyId, tagged))
  const written = await reading.query<FoundVersion>(listOwnVersions(reading, companyId, matches))
  const byVersion = Map.groupBy(matches, ({ rulePackId, hash }) => `${rulePackId} ${hash}`)
  return [...byVersion.values()].flatMap((ofVersion) => {
    const ruleOf = rulesOfVersion(ofVersion[0]!, written, rules)
    return ofVersion.map(({ subjectId, tagId, ruleId, clause, values }) => {
      const expression = ruleOf.get(ruleId)?.when ?? ''
      return { subjectId, tagId, clause, limits: brokenLimits(expression, values) }
    })
  })
}

type Explanation = Readonly<Record<Language, string>>

interface ExplainedRule extends Omit<Rule, 'explanation'> {
  readonly explanation: Explanation
}

/** Return the rules of a version of a pack, by their ids; none if its document is gone. */
function rulesOfVersion(
  version: RulePackVersionRef,
  written: readonly FoundVersion[],
  rules: RuleBook,
): ReadonlyMap<string, ExplainedRule> {
  const own = ownOf(version, written)?.document
  const document = own ?? shippedOf(version, rules)
  if (!document) return new Map()
  const german = own ? new Map<string, string>() : germanExplanations(document.rules)
  return new Map(
    rulesOf(document).map(({ rule: { explanation: en, ...rule } }) => [
      rule.ruleId,
      { ...rule, explanation: { en, de: german.get(rule.ruleId) ?? en } },
    ]),
  )
}

function explain(
  { rulePackId, ruleId, ...finding }: FoundFinding,
  packRule: ExplainedRule | undefined,
  evidence: Evidence,
): Explained {
  const rule = ruleId === notJudgedRuleId ? notJudgedRule : packRule
  const { clause = '', when: expression = '' } = rule ?? {}
  const values = finding.values ?? evidence
  return {
    rulePackId,
    ruleId,
    expression,
    values,
    clause: finding.clause ?? clause,
    limits: finding.result === 'matched' ? brokenLimits(expression, values) : [],
    ...inEnglishToo(sentenceOf(finding.result, ruleId, packRule?.explanation, values)),
  }
}

function sentenceOf(
  result: FoundFinding['result'],
  ruleId: string,
  { en, de }: Explanation = { en: '', de: '' },
  values: Evidence,
): Sentence {
  if (result !== 'matched') return explanationWithout(missingIn(values))
  if (ruleId === notJudgedRuleId) return sentence('rule-not-judged')
  const read = (name: string) => values[name] ?? null
  const explanation = { en: explanationWith(en, read), de: explanationWith(de, read, 'de') }
  return sentence('rule-explained', { explanation })
}

/** Return the fields of the subject that a rule has found without a value. */
function missingIn(values: Evidence): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null && /^(?:certificate|order)\./.test(name) ? [name] : [],
  )
}

/** Return the values that each rule sees which could not be evaluated. */
async function valuesSeen(
  reading: Reading,
  subject: SubjectKey,
  means: ExplainMeans,
  byPack: readonly (readonly FoundFinding[])[],
  written: readonly FoundVersion[],
): Promise<(finding: FoundFinding) => Evidence> {
  const open = byPack.filter((ofPack) => ofPack.some(({ values }) => values === null))
  const outcomes = new Map<string, RuleOutcome>()
  if (open.length > 0) {
    const { companyId, family } = subject
    const [row] = await reading.query<Pick<RuleSubject, 'content'>>(findContent(reading, subject))
    const inForce = await reading.query<SubscribedPack>(listSubscribedPacks(reading, companyId))
    const judged = { family, ...row } as RuleSubject
    for (const [first] of open)
      for (const outcome of (await outcomesOf(companyId, first!, judged, inForce, means, written)) ?? [])
        outcomes.set(`${first!.rulePackId} ${outcome.ruleId}`, outcome)
  }
  return ({ rulePackId, ruleId }) => outcomes.get(`${rulePackId} ${ruleId}`)?.values() ?? {}
}

async function outcomesOf(
  companyId: string,
  pack: RulePackVersionRef,
  subject: RuleSubject,
  inForce: readonly SubscribedPack[],
  { rules, ownRules }: ExplainMeans,
  written: readonly FoundVersion[],
): Promise<readonly RuleOutcome[] | undefined> {
  const { rulePackId, version, hash } = pack
  const parameters = inForce.find((one) => one.rulePackId === rulePackId)?.parameters ?? undefined
  const subscribed = inForce.map((one) => one.rulePackId)
  const own = ownOf(pack, written)
  if (!own) return rules.evaluate({ rulePackId, version, hash, parameters }, subject, subscribed)
  const document = async () => own.document as PackContent
  const [outcomes] = await ownRules
    .evaluate(companyId, [{ hash, parameters, document }], {
      subject,
      subscribed,
      turn: AbortSignal.timeout(patienceMs),
    })
    .catch((error) => {
      throw isTimeout(error)
        ? new Failure('rules-not-evaluated', 'other evaluations take all of the time')
        : error
    })
  return outcomes
}

function ownOf(
  { rulePackId, hash }: RulePackVersionRef,
  written: readonly FoundVersion[],
): FoundVersion | undefined {
  return written.find((one) => one.rulePackId === rulePackId && one.hash === hash)
}

function shippedOf(
  { rulePackId, version, hash }: RulePackVersionRef,
  rules: RuleBook,
): PackContent | undefined {
  if (rules.find(rulePackId, version)?.hash !== hash) return undefined
  return rules.documentOf(rulePackId, version) as PackContent
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}
