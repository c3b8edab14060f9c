import type { Explanation } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { Value } from '../../kit/Timeline.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type Family, families, subjectParams } from '../tags/family.ts'

/** Show what rules found on a certificate or an order, with clause and values, and what they could not judge. */
export function SubjectRules({ family, subjectId }: { readonly family: Family; readonly subjectId: string }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { rows, error } = useList(families[family].explain, { params: subjectParams(companyId, subjectId) })
  return (
    <Section title={t('rules')}>
      {!rows && (error ? <Failure error={error} /> : <Loading lines={2} />)}
      {rows?.length === 0 && <p className="muted">{t('noRules')}</p>}
      {rows && rows.length > 0 && (
        <ul className="cards">
          {rows.map((one) => (
            <Finding key={`${one.rulePackId} ${one.ruleId}`} {...one} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Finding({ tagName, clause, explanation, result, reason, values }: Explanation) {
  const { t } = useTexts()
  return (
    <li className="card">
      <h3>
        {tagName}{' '}
        <Mark tone={result === 'matched' ? 'warn' : 'calm'}>
          {t(result === 'matched' ? 'matched' : 'notEvaluated')}
        </Mark>
      </h3>
      <p>{reason ?? explanation}</p>
      <p className="muted small">{clause}</p>
      <details>
        <summary>{t('seenValues')}</summary>
        <Value value={values} />
      </details>
    </li>
  )
}
