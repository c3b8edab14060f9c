import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { RulePack } from '../../api/generated.ts'
import { useCommand, useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { Confirm } from '../../kit/Dialog.tsx'
import { Empty } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type PackDialogProps, RulePackPreview, useParameterName, useSeenPack } from './RulePackPreview.tsx'

/** The rule packs of this release and of the company, subscribed or not. */
export function RulePacks() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const list = useList('listRulePacks', { params: { companyId } }, { isUnderWay: isEvaluating })
  const [previewed, setPreviewed] = useState<RulePack>()
  const [leaving, setLeaving] = useState<RulePack>()
  const [deleting, setDeleting] = useState<RulePack>()
  const nameOf = useParameterName()
  const [, go] = useLocation()
  const placeOf = (rulePackId: string) => pathIn(companyId, `/settings/rule-packs/${rulePackId}`)
  const actionsOn = (pack: RulePack) => [
    { text: t('edit'), act: () => go(placeOf(pack.rulePackId)) },
    ...(pack.subscribed
      ? [{ text: t('unsubscribe'), act: () => setLeaving(pack) }]
      : [{ text: t('delete'), act: () => setDeleting(pack), isDangerous: true }]),
  ]
  return (
    <Section
      title={t('rulePacks')}
      actions={
        may('addRulePack') && (
          <Button onPress={() => go(pathIn(companyId, '/settings/new-rule-pack'))}>{t('newRulePack')}</Button>
        )
      }
    >
      <Table
        label={t('rulePacks')}
        list={list}
        rowKey={({ rulePackId }) => rulePackId}
        empty={<Empty title={t('noPacks')} />}
        columns={[
          {
            title: t('name'),
            cell: ({ rulePackId, name, own, subscribed, parameters }) => (
              <>
                <strong>
                  <Link href={placeOf(rulePackId)}>{name}</Link>
                </strong>{' '}
                {own && <Mark tone="info">{t('ownPack')}</Mark>}
                {subscribed &&
                  Object.entries(parameters).map(([parameter, value]) => (
                    <div key={parameter} className="muted small">
                      {nameOf(parameter)}: {value}
                    </div>
                  ))}
              </>
            ),
          },
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
                  {pack.own ? (
                    <Actions actions={actionsOn(pack)} />
                  ) : (
                    pack.subscribed && <Button onPress={() => setLeaving(pack)}>{t('unsubscribe')}</Button>
                  )}
                </span>
              ),
          },
        ]}
      />
      <p className="small">
        <a href="/docs/rule-packs">{t('everyLimit')}</a>
      </p>
      {previewed && <RulePackPreview pack={previewed} onClose={() => setPreviewed(undefined)} />}
      {leaving && <Leave pack={leaving} onClose={() => setLeaving(undefined)} />}
      {deleting && <DeletePack pack={deleting} onClose={() => setDeleting(undefined)} />}
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
      <span>
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

function Leave({ pack, onClose }: PackDialogProps) {
  const { t } = useTexts()
  const { rulePackId, name } = pack
  const params = { companyId: useCompanyId(), rulePackId }
  const { ifMatch, isReading } = useSeenPack(pack)
  const { mutate, isPending, error } = useCommand('unsubscribeRulePack')
  const leave = () => mutate({ params, ifMatch }, tellAndClose(t('packChanged'), onClose))
  return (
    <Confirm
      title={t('unsubscribeTitle', { name })}
      action={t('unsubscribe')}
      onConfirm={leave}
      {...{ onClose, error }}
      isPending={isPending || isReading}
    >
      <p>{t('unsubscribeText')}</p>
    </Confirm>
  )
}

function DeletePack({ pack, onClose }: PackDialogProps) {
  const { t } = useTexts()
  const { rulePackId, name } = pack
  const params = { companyId: useCompanyId(), rulePackId }
  const { ifMatch, isReading } = useSeenPack(pack)
  const { mutate, isPending, error } = useCommand('deleteRulePack')
  const remove = () => mutate({ params, ifMatch }, tellAndClose(t('packDeleted'), onClose))
  return (
    <Confirm
      title={t('deletePackTitle', { name })}
      action={t('delete')}
      onConfirm={remove}
      {...{ onClose, error }}
      isPending={isPending || isReading}
    >
      <p>{t('deletePackText')}</p>
    </Confirm>
  )
}
