import { useState } from 'react'
import { toldIn } from '../../../domain/verdict/sentence.ts'
import type { WebhookState } from '../../api/generated.ts'
import { useCommand, useList, useSeen } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { Confirm, Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, TextField } from '../../kit/Form.tsx'
import { Empty } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { ShownSecret } from './keys/NewKey.tsx'

/** Where the changes of the company are sent, and how that goes. */

type Act = 'pause' | 'resume' | 'attempts' | 'roll' | 'delete'

export function Webhooks() {
  const { t } = useTexts()
  const list = useList('listWebhooks', { params: { companyId: useCompanyId() } })
  const [isAdding, setIsAdding] = useState(false)
  const [request, setRequest] = useState<{ readonly act: Act; readonly webhook: WebhookState }>()
  const [secret, setSecret] = useState<string>()
  const close = () => setRequest(undefined)
  const show = (secret: string | null) => {
    setIsAdding(false)
    close()
    if (secret !== null) setSecret(secret)
  }
  return (
    <Section
      title={t('webhooks')}
      actions={<Button onPress={() => setIsAdding(true)}>{t('addWebhook')}</Button>}
    >
      <Table
        label={t('webhooks')}
        list={list}
        rowKey={({ webhookId }) => webhookId}
        empty={<Empty title={t('noWebhooks')}>{t('noWebhooksText')}</Empty>}
        columns={[
          { title: t('address'), cell: ({ url }) => <code>{url}</code> },
          {
            title: t('webhookTypes'),
            cell: ({ types }) => types.join(', ') || t('allChanges'),
            from: 'desktop',
          },
          { title: t('status'), cell: (webhook) => <State webhook={webhook} /> },
          {
            title: t('moreActions'),
            isUntitled: true,
            cell: (webhook) => (
              <Actions
                actions={actsOf(webhook).map((act) => ({
                  text: t(actTexts[act]),
                  act: () => setRequest({ act, webhook }),
                  isDangerous: act === 'delete',
                }))}
              />
            ),
          },
        ]}
      />
      {isAdding && <NewWebhook onClose={() => setIsAdding(false)} onAdded={show} />}
      {request?.act === 'attempts' && <Attempts webhook={request.webhook} onClose={close} />}
      {request?.act === 'resume' && <Resume webhook={request.webhook} onClose={close} />}
      {request?.act === 'pause' && <Pause webhook={request.webhook} onClose={close} />}
      {request?.act === 'roll' && <RollSecret webhook={request.webhook} onClose={close} onRolled={show} />}
      {request?.act === 'delete' && <Delete webhook={request.webhook} onClose={close} />}
      {secret !== undefined && (
        <ShownSecret
          title={t('secretShown')}
          text={t('secretShownText')}
          value={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  )
}

const actTexts = {
  attempts: 'lastRequests',
  pause: 'pauseWebhook',
  resume: 'resumeWebhook',
  roll: 'rollSecret',
  delete: 'delete',
} as const

function actsOf({ state }: WebhookState): Act[] {
  return ['attempts', ...(state === 'paused' ? [] : (['pause'] as const)), 'resume', 'roll', 'delete']
}

const stateLooks = {
  pending: { tone: 'warn', text: 'webhookPending' },
  active: { tone: 'good', text: 'webhookActive' },
  failing: { tone: 'bad', text: 'webhookFailing' },
  paused: { tone: 'warn', text: 'webhookPaused' },
  disabled: { tone: 'bad', text: 'webhookDisabled' },
} as const

function State({ webhook: { state, condition, nextTryAt } }: { readonly webhook: WebhookState }) {
  const { t, language, dateTime } = useTexts()
  const { tone, text } = stateLooks[state]
  return (
    <>
      <Mark tone={tone}>{t(text)}</Mark>
      {state !== 'active' && condition !== null && (
        <div className="small muted">{toldIn(language, condition)}</div>
      )}
      {nextTryAt !== null && <div className="small muted">{t('nextTry', { at: dateTime(nextTryAt) })}</div>}
    </>
  )
}

interface NewWebhookProps {
  readonly onClose: () => void
  /** The secret is null when the service answers a repeated request. */
  readonly onAdded: (secret: string | null) => void
}

function NewWebhook({ onClose, onAdded }: NewWebhookProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [url, setUrl] = useState('https://')
  const [types, setTypes] = useState('')
  const { mutate, isPending, error } = useCommand('addWebhook')
  const eventTypes = types.split(/[\s,]+/).filter(Boolean)
  const add = () =>
    mutate(
      { params: { companyId }, body: { url: url.trim(), types: eventTypes } },
      { onSuccess: ({ data }) => onAdded(data.secret) },
    )
  return (
    <Dialog title={t('addWebhook')} onClose={onClose} shape="panel">
      <Form onSubmit={add} onCancel={onClose} submit={t('addWebhook')} {...{ isPending, error }}>
        <TextField
          label={t('address')}
          help={t('webhookAddressHelp')}
          value={url}
          onChange={setUrl}
          fault={faultOf(error, 'url')}
          isRequired
          autoFocus
        />
        <TextField
          label={t('webhookTypes')}
          help={t('webhookTypesHelp')}
          value={types}
          onChange={setTypes}
          fault={faultOf(error, 'types')}
        />
      </Form>
    </Dialog>
  )
}

interface AskProps {
  readonly webhook: WebhookState
  readonly onClose: () => void
}

/** The webhook as it is now, for a command on it. */
function useWebhook({ companyId, webhookId }: WebhookState) {
  const params = { companyId, webhookId }
  return { params, ...useSeen('getWebhook', { params }) }
}

function Pause({ webhook, onClose }: AskProps) {
  const { t } = useTexts()
  const { mutate, isPending, error } = useCommand('changeWebhook')
  const { params, ifMatch, isReading } = useWebhook(webhook)
  const pause = () =>
    mutate({ params, ifMatch, body: { active: false } }, tellAndClose(t('webhookPaused'), onClose))
  return (
    <Confirm
      title={t('pauseWebhook')}
      action={t('pauseWebhook')}
      onConfirm={pause}
      kind="primary"
      {...{ onClose, error }}
      isPending={isPending || isReading}
    >
      <p>{t('pauseWebhookText')}</p>
    </Confirm>
  )
}

function Resume({ webhook, onClose }: AskProps) {
  const { t } = useTexts()
  const [after, setAfter] = useState('')
  const { mutate, isPending, error } = useCommand('resumeWebhook')
  const { params, ifMatch, isReading } = useWebhook(webhook)
  const body = after.trim() === '' ? {} : { after: Number(after) }
  const resume = () => mutate({ params, ifMatch, body }, tellAndClose(t('webhookResumed'), onClose))
  return (
    <Dialog title={t('resumeWebhook')} about={webhook.url} onClose={onClose} shape="panel">
      <Form
        onSubmit={resume}
        onCancel={onClose}
        submit={t('resumeWebhook')}
        isPending={isPending || isReading}
        error={error}
      >
        <TextField
          label={t('afterPosition')}
          help={t('afterPositionHelp')}
          value={after}
          onChange={setAfter}
          fault={faultOf(error, 'after')}
        />
      </Form>
    </Dialog>
  )
}

function RollSecret({
  webhook,
  onClose,
  onRolled,
}: AskProps & { readonly onRolled: (secret: string | null) => void }) {
  const { t } = useTexts()
  const { mutate, isPending, error } = useCommand('rollWebhookSecret')
  const { params, ifMatch, isReading } = useWebhook(webhook)
  const roll = () => mutate({ params, ifMatch }, { onSuccess: ({ data }) => onRolled(data.secret) })
  return (
    <Confirm
      title={t('rollSecret')}
      action={t('rollSecret')}
      onConfirm={roll}
      {...{ onClose, error }}
      isPending={isPending || isReading}
    >
      <p>{t('rollSecretText')}</p>
    </Confirm>
  )
}

function Delete({ webhook, onClose }: AskProps) {
  const { t } = useTexts()
  const { mutate, isPending, error } = useCommand('deleteWebhook')
  const { params, ifMatch, isReading } = useWebhook(webhook)
  const remove = () => mutate({ params, ifMatch }, tellAndClose(t('webhookDeleted'), onClose))
  return (
    <Confirm
      title={t('deleteWebhookTitle', { url: webhook.url })}
      action={t('delete')}
      onConfirm={remove}
      {...{ onClose, error }}
      isPending={isPending || isReading}
    >
      <p>{t('deleteWebhookText')}</p>
    </Confirm>
  )
}

function Attempts({ webhook: { companyId, webhookId, url }, onClose }: AskProps) {
  const { t, language, dateTime } = useTexts()
  const list = useList('listWebhookAttempts', { params: { companyId, webhookId } })
  return (
    <Dialog title={t('lastRequests')} about={url} onClose={onClose}>
      <div className="dialogBody">
        <Table
          label={t('lastRequests')}
          list={list}
          rowKey={({ attemptedAt, after }) => `${attemptedAt} ${after}`}
          empty={<Empty title={t('noRequests')} />}
          columns={[
            { title: t('time'), cell: ({ attemptedAt }) => dateTime(attemptedAt) },
            { title: t('changes'), cell: ({ isPing, changes }) => (isPing ? t('ping') : changes) },
            {
              title: t('status'),
              cell: ({ status, failure }) => (
                <Mark tone={failure === null ? 'good' : 'bad'}>
                  {failure === null ? status : toldIn(language, failure)}
                </Mark>
              ),
            },
          ]}
        />
      </div>
    </Dialog>
  )
}
