import { toldIn } from '../../../../domain/verdict/sentence.ts'
import type { BrokenLimit, Explanation } from '../../../api/generated.ts'
import { useList } from '../../../api/queries.ts'
import { useCompanyId } from '../../../app/company.tsx'
import { Mark } from '../../../kit/Chip.tsx'
import { Failure, Loading } from '../../../kit/Notice.tsx'
import { Section } from '../../../kit/Page.tsx'
import { Value } from '../../../kit/Value.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { useFieldName } from '../../imports/fieldNames.ts'
import { type Family, families, subjectParams } from '../family.ts'

function useExplanations(family: Family, subjectId: string) {
  const params = subjectParams(useCompanyId(), subjectId)
  return useList(families[family].explain, { params })
}

/** Return a function that names the rule that has assigned a tag by its clause, or by its id until that is read. */
export function useRuleName(family: Family, subjectId: string): (ruleId: string, tagId: string) => string {
  const { rows = [] } = useExplanations(family, subjectId)
  return (ruleId, tagId) => rows.find((one) => one.ruleId === ruleId && one.tagId === tagId)?.clause ?? ruleId
}

type ClausedLimit = BrokenLimit & Pick<Explanation, 'clause'>

/** Return a function that gives the broken limits of a value, by the rules' word for it. */
export function useBrokenLimits(
  family: Family,
  subjectId: string,
): (name: string) => readonly ClausedLimit[] {
  const { rows = [] } = useExplanations(family, subjectId)
  const broken = rows.flatMap(({ limits, clause }) => limits.map((limit) => ({ ...limit, clause })))
  return (name) => broken.filter((one) => one.name === name)
}

interface SubjectRulesProps {
  readonly family: Family
  readonly subjectId: string
}

/** Show what rules found on a certificate or an order, with clause and values, and what they could not judge. */
export function SubjectRules({ family, subjectId }: SubjectRulesProps) {
  const { t, number } = useTexts()
  const { rows, error } = useExplanations(family, subjectId)
  const matched = rows?.filter(({ result }) => result === 'matched')
  const notJudged = rows?.filter(({ result }) => result !== 'matched')
  return (
    <Section title={t('rules')}>
      {!rows && (error ? <Failure error={error} /> : <Loading lines={2} />)}
      {rows?.length === 0 && <p className="muted">{t('noRules')}</p>}
      <RuleCards rules={matched} />
      {notJudged && notJudged.length > 1 ? (
        <details>
          <summary>{t('rulesNotJudged', { n: number(notJudged.length) })}</summary>
          <RuleCards rules={notJudged} />
        </details>
      ) : (
        <RuleCards rules={notJudged} />
      )}
    </Section>
  )
}

function RuleCards({ rules = [] }: { readonly rules: readonly Explanation[] | undefined }) {
  if (rules.length === 0) return null
  return (
    <ul className="cards">
      {rules.map((one) => (
        <Finding key={`${one.rulePackId} ${one.ruleId}`} {...one} />
      ))}
    </ul>
  )
}

function Finding({ tagName, clause, message, sentence, result, values, limits }: Explanation) {
  const { t, language } = useTexts()
  const withNames = useFieldNames()
  return (
    <li className="card">
      <h3>
        {tagName}{' '}
        <Mark tone={result === 'matched' ? 'warn' : 'calm'}>
          {t(result === 'matched' ? 'matched' : 'notEvaluated')}
        </Mark>
      </h3>
      <p>{toldIn(language, { message, sentence: withNames(sentence) })}</p>
      {limits.map((broken) => (
        <Broken key={`${broken.name} ${broken.limit}`} {...broken} />
      ))}
      <p className="muted small">{clause}</p>
      <details>
        <summary>{t('seenValues')}</summary>
        <Value value={values} />
      </details>
    </li>
  )
}

/** Return a function that names the missing fields in a sentence as forms do. */
function useFieldNames(): (sentence: Explanation['sentence']) => Explanation['sentence'] {
  const fieldName = useFieldName()
  return ({ text, values }) => {
    if (typeof values?.missing !== 'string') return { text, ...(values && { values }) }
    const names = new Set(values.missing.split(', ').map(fieldName))
    return { text, values: { ...values, missing: [...names].join(', '), count: names.size } }
  }
}

interface TagEvidenceProps {
  readonly family: Family
  readonly subjectId: string
  readonly tagId: string
}

/** Show why rules have assigned a tag: the clause, and each value beside its limit. Nothing, if a person has set it. */
export function TagEvidence({ family, subjectId, tagId }: TagEvidenceProps) {
  const { rows = [] } = useExplanations(family, subjectId)
  return rows
    .filter((one) => one.tagId === tagId)
    .map((one) => (
      <div key={`${one.rulePackId} ${one.ruleId}`} className="muted">
        {one.limits.map((broken) => (
          <Broken key={`${broken.name} ${broken.limit}`} {...broken} />
        ))}
        <p>{one.clause}</p>
      </div>
    ))
}

function Broken({ name, value, limit, isTooSmall }: BrokenLimit) {
  const { t, number } = useTexts()
  const fieldName = useFieldName()
  return (
    <p>
      {fieldName(name.replace(/^(certificate|order)\./, ''))} {number(value)},{' '}
      {t(isTooSmall ? 'atLeast' : 'atMost', { limit: number(limit) })}
    </p>
  )
}

/** Show beside a value the limits that it breaks. */
export function Limits({ broken }: { readonly broken: readonly ClausedLimit[] }) {
  const { t, number } = useTexts()
  return broken.map(({ limit, isTooSmall, clause }) => (
    <span key={`${limit} ${clause}`} className="limit" title={clause}>
      {t(isTooSmall ? 'atLeast' : 'atMost', { limit: number(limit) })}
    </span>
  ))
}
