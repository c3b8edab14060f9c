import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RulePackWithDocument } from '../../api/generated.ts'
import { useRecord } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { CodeField } from '../../kit/CodeField.tsx'
import { useFilters } from '../../kit/filters.tsx'
import { Failure, Forbidden, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'
import { PackEditor } from './PackEditor.tsx'
import { PackValidation } from './PackValidation.tsx'
import { packTemplate } from './packTemplate.ts'
import { RulePackPreview } from './RulePackPreview.tsx'

/** Begin a rule pack of the company. */
export function NewPackScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const [, go] = useLocation()
  const placeOf = (rulePackId: string) => pathIn(companyId, `/settings/rule-packs/${rulePackId}`)
  return (
    <Page title={t('newRulePack')} back={useBack()} lead={t('packEditorText')}>
      {may('addRulePack') ? (
        <PackEditor
          start={packTemplate}
          onSaved={({ rulePackId }) => go(`${placeOf(rulePackId)}?preview=yes`, { replace: true })}
          onTakeTheirs={(rulePackId) => go(placeOf(rulePackId))}
        />
      ) : (
        <Forbidden />
      )}
    </Page>
  )
}

function useBack() {
  const { t } = useTexts()
  return { href: pathIn(useCompanyId(), '/settings'), text: t('settings') }
}

/** The document of a rule pack. Those of the company can be edited. */
export function PackScreen({ rulePackId }: { readonly rulePackId: string }) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const back = useBack()
  const input = { params: { companyId, rulePackId } }
  const { data, error, isFetching, refetch } = useRecord('getRulePack', input, { every: false })
  const filters = useFilters()
  // The text begins with the newest version, and what others do meanwhile does not change it.
  const [start, setStart] = useState<typeof data>()
  if (!start && data && !isFetching) setStart(data)
  if (!data || !start)
    return (
      <Page title={error ? t('notFound') : t('rulePack')} back={back}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
      </Page>
    )
  const pack = data.data
  const isWritable = pack.own && may('replaceRulePack')
  return (
    <Page
      title={pack.name}
      back={back}
      marks={<Mark tone="calm">{t('versionNumber', { n: number(pack.version) })}</Mark>}
      lead={t(isWritable ? 'packEditorText' : 'packReadOnly')}
    >
      {isWritable ? (
        <PackEditor
          key={start.etag}
          rulePackId={rulePackId}
          start={textOf(start.data)}
          etag={start.etag}
          onSaved={() => filters.set('preview', 'yes')}
          onTakeTheirs={() => void refetch().then((newest) => setStart(newest.data))}
        />
      ) : (
        <CodeField label={t('packDocument')} value={textOf(pack)} />
      )}
      <PackValidation pack={pack} onSaved={() => void refetch()} />
      {filters.value('preview') !== '' && may('subscribeRulePack') && (
        <RulePackPreview pack={pack} onClose={() => filters.set('preview', '')} />
      )}
    </Page>
  )
}

function textOf({ document }: Pick<RulePackWithDocument, 'document'>): string {
  return JSON.stringify(document, null, 2)
}
