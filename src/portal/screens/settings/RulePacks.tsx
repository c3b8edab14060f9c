import { useEffect, useState } from 'react'
import type { RulePack, RulePackPreview } from '../../api/generated.ts'
import { useCommand, useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark, TagChip } from '../../kit/Chip.tsx'
import { Confirm, Dialog } from '../../kit/Dialog.tsx'
import { FormError } from '../../kit/Form.tsx'
import { Empty, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'

/** The rule packs of this release, subscribed or not. */
export function RulePacks() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const list = useList('listRulePacks', { params: { companyId } }, { isUnderWay: isEvaluating })
  const [previewed, setPreviewed] = useState<RulePack>()
  const [leaving, setLeaving] = useState<RulePack>()
  return (
    <Section title={t('rulePacks')}>
      <Table
        label={t('rulePacks')}
        list={list}
        rowKey={({ rulePackId }) => rulePackId}
        empty={<Empty title={t('noPacks')} />}
        columns={[
          { title: t('name'), cell: ({ name }) => <strong>{name}</strong> },
          {
            title: t('version'),
            cell: ({ version, subscribedVersion }) =>
              subscribedVersion !== null && subscribedVersion < version
                ? `${subscribedVersion} → ${version}`
                : version,
            from: 'desktop',
          },
          { title: t('status'), cell: (pack) => <PackState pack={pack} /> },
          {
            title: t('moreActions'),
            isUntitled: true,
            cell: (pack) =>
              may('subscribeRulePack') && (
                <span className="actions noWrapRow">
                  <Button onPress={() => setPreviewed(pack)}>{t('preview')}</Button>
                  {pack.subscribed && <Button onPress={() => setLeaving(pack)}>{t('unsubscribe')}</Button>}
                </span>
              ),
          },
        ]}
      />
      {previewed && <Preview pack={previewed} onClose={() => setPreviewed(undefined)} />}
      {leaving && <Leave pack={leaving} onClose={() => setLeaving(undefined)} />}
    </Section>
  )
}

function isEvaluating({ evaluation: { status } }: RulePack): boolean {
  return status === 'running' || status === 'pending'
}

function PackState({ pack }: { readonly pack: RulePack }) {
  const { t, number } = useTexts()
  const { subscribed, evaluation } = pack
  const { done, total } = evaluation
  if (isEvaluating(pack))
    return (
      <span className="noWrap">
        <progress
          value={done}
          max={Math.max(total, 1)}
          aria-label={t('evaluating', { done: number(done), total: number(total) })}
        />{' '}
        {t('evaluating', { done: number(done), total: number(total) })}
      </span>
    )
  return subscribed ? (
    <Mark tone="good">{t('subscribed')}</Mark>
  ) : (
    <Mark tone="calm">{t('notSubscribed')}</Mark>
  )
}

interface PackDialogProps {
  readonly pack: RulePack
  readonly onClose: () => void
}

/** Show which tags a subscription or upgrade would give and take, before it is made. */
function Preview({
  pack: { rulePackId, name, subscribed, subscribedVersion, version },
  onClose,
}: PackDialogProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), rulePackId }
  const { mutate: ask, data, error } = useCommand('previewRulePack')
  const subscribe = useCommand('subscribeRulePack')
  const upgrade = useCommand('upgradeRulePack')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview is asked for once
  useEffect(() => ask({ params }), [])
  const onSuccess = () => {
    tell(t('packChanged'))
    onClose()
  }
  const isBehind = subscribedVersion !== null && subscribedVersion < version
  return (
    <Dialog title={t('previewTitle', { name })} onClose={onClose} shape="panel">
      {data ? <Changes preview={data.data} /> : error ? null : <Loading />}
      <FormError error={error ?? subscribe.error ?? upgrade.error} />
      <div className="dialogActions">
        <Button onPress={onClose}>{t('close')}</Button>
        {!subscribed && (
          <Button
            kind="primary"
            isPending={subscribe.isPending}
            onPress={() => subscribe.mutate({ params }, { onSuccess })}
          >
            {t('subscribe')}
          </Button>
        )}
        {isBehind && (
          <Button
            kind="primary"
            isPending={upgrade.isPending}
            onPress={() => upgrade.mutate({ params }, { onSuccess })}
          >
            {t('upgrade')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** A preview lists up to 10,000 changes; a person looks at some of them. */
const shownChanges = 100

function Changes({
  preview: { gains, losses, gainCount, lossCount },
}: {
  readonly preview: RulePackPreview
}) {
  const { t, number } = useTexts()
  if (gainCount + lossCount === 0) return <p>{t('noChanges')}</p>
  const parts = [
    { title: t('gains', { n: number(gainCount) }), changes: gains },
    { title: t('losses', { n: number(lossCount) }), changes: losses },
  ]
  return parts.map(({ title, changes }) => (
    <Section key={title} title={title}>
      <ul className="lines">
        {changes.slice(0, shownChanges).map(({ subjectId, subjectLabel, tag }) => (
          <li key={`${subjectId} ${tag.tagId}`}>
            <span>{subjectLabel}</span>
            <TagChip {...tag} />
          </li>
        ))}
      </ul>
    </Section>
  ))
}

function Leave({ pack: { rulePackId, name }, onClose }: PackDialogProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), rulePackId }
  const { mutate, isPending, error } = useCommand('unsubscribeRulePack')
  const leave = () =>
    mutate(
      { params },
      {
        onSuccess: () => {
          tell(t('packChanged'))
          onClose()
        },
      },
    )
  return (
    <Confirm
      title={t('unsubscribeTitle', { name })}
      action={t('unsubscribe')}
      onConfirm={leave}
      {...{ onClose, isPending, error }}
    >
      <p>{t('unsubscribeText')}</p>
    </Confirm>
  )
}
