import { useState } from 'react'
import type { ApiKey } from '../../../api/generated.ts'
import { useCommand, useList, useSeen } from '../../../api/queries.ts'
import { usePerson } from '../../../app/session.tsx'
import { Actions } from '../../../kit/Actions.tsx'
import { Button } from '../../../kit/Button.tsx'
import { Mark } from '../../../kit/Chip.tsx'
import { Confirm } from '../../../kit/Dialog.tsx'
import { Empty } from '../../../kit/Notice.tsx'
import { Page } from '../../../kit/Page.tsx'
import { Table } from '../../../kit/Table.tsx'
import { tellAndClose } from '../../../kit/toast.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { useRoleNames } from '../roles.ts'
import { NewKey, ShownSecret } from './NewKey.tsx'
import { RollOne } from './RollOne.tsx'

/** The person's own API keys. */
export function KeysScreen() {
  const { t, dateTime } = useTexts()
  const list = useList('listApiKeys', {})
  const [open, setOpen] = useState<'create' | 'roll' | undefined>()
  const [rolling, setRolling] = useState<ApiKey>()
  const [deleting, setDeleting] = useState<ApiKey>()
  const [shownKey, setShownKey] = useState<string>()
  const hasKeys = list.rows !== undefined && list.rows.length > 0
  const close = () => setOpen(undefined)
  const show = (key: string | null) => {
    close()
    setRolling(undefined)
    if (key !== null) setShownKey(key)
  }
  return (
    <Page
      title={t('keys')}
      lead={t('keysText')}
      actions={
        <>
          {hasKeys && <Button onPress={() => setOpen('roll')}>{t('roll')}</Button>}
          <Button kind="primary" onPress={() => setOpen('create')}>
            {t('createKey')}
          </Button>
        </>
      }
    >
      <Table
        label={t('keys')}
        list={list}
        rowKey={({ keyId }) => keyId}
        empty={<Empty title={t('noKeys')}>{t('noKeysText')}</Empty>}
        columns={[
          { title: t('label'), cell: ({ label }) => <strong>{label}</strong> },
          { title: t('prefix'), cell: ({ prefix }) => <code>{prefix}…</code>, from: 'tablet' },
          {
            title: t('lastUsed'),
            cell: ({ lastUsedAt }) =>
              lastUsedAt ? dateTime(lastUsedAt) : <span className="muted">{t('never')}</span>,
            from: 'tablet',
          },
          { title: t('expires'), cell: (key) => <Expiry apiKey={key} /> },
          { title: t('access'), cell: (key) => <Access apiKey={key} />, from: 'desktop' },
          {
            title: t('moreActions'),
            isUntitled: true,
            cell: (key) => (
              <Actions
                actions={[
                  ...(isExpired(key) ? [] : [{ text: t('rollOne'), act: () => setRolling(key) }]),
                  { text: t('delete'), act: () => setDeleting(key), isDangerous: true },
                ]}
              />
            ),
          },
        ]}
      />
      {open === 'create' && <NewKey onClose={close} onCreated={show} />}
      {open === 'roll' && <Roll apiKeys={list.rows ?? []} onClose={close} onRolled={show} />}
      {rolling && <RollOne apiKey={rolling} onClose={() => setRolling(undefined)} onRolled={show} />}
      {deleting && <Delete apiKey={deleting} onClose={() => setDeleting(undefined)} />}
      {shownKey !== undefined && (
        <ShownSecret
          title={t('keyShown')}
          text={t('keyShownText')}
          value={shownKey}
          onClose={() => setShownKey(undefined)}
        />
      )}
    </Page>
  )
}

function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>): boolean {
  return expiresAt !== null && Date.parse(expiresAt) < Date.now()
}

function Expiry({ apiKey: { expiresAt } }: { readonly apiKey: ApiKey }) {
  const { t, dateTime } = useTexts()
  if (expiresAt === null) return <>{t('never')}</>
  if (isExpired({ expiresAt })) return <Mark tone="bad">{t('expired')}</Mark>
  return <>{dateTime(expiresAt)}</>
}

/** Compare the memberships that the key keeps with those that the person has today. */
function Access({ apiKey: { snapshot } }: { readonly apiKey: ApiKey }) {
  const { t } = useTexts()
  const { memberships } = usePerson()
  const namesOf = useRoleNames()
  const rolesText = (list: ApiKey['snapshot']) =>
    list
      .map(({ companyId, roles }) => `${companyId} ${[...roles].sort()}`)
      .sort()
      .join()
  const roles = namesOf(...new Set(snapshot.flatMap((one) => one.roles))) || t('none')
  return rolesText(snapshot) === rolesText(memberships) ? (
    <span>
      {roles} <span className="muted">· {t('accessSame')}</span>
    </span>
  ) : (
    <span>
      {roles} <Mark tone="warn">{t('accessChanged')}</Mark>
    </span>
  )
}

function Delete({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { t } = useTexts()
  const { mutate, isPending, error } = useCommand('deleteApiKey')
  const { keyId, label } = apiKey
  const { ifMatch, isReading } = useSeen('getApiKey', { params: { keyId } })
  const remove = () => mutate({ params: { keyId }, ifMatch }, tellAndClose(t('keyDeleted'), onClose))
  return (
    <Confirm
      title={t('deleteKeyTitle', { name: label })}
      action={t('delete')}
      onConfirm={remove}
      {...{ onClose, error }}
      isPending={isPending || isReading}
    >
      <p>{t('deleteKeyText')}</p>
    </Confirm>
  )
}

interface RollProps {
  readonly apiKeys: readonly ApiKey[]
  readonly onClose: () => void
  readonly onRolled: (key: string | null) => void
}

function Roll({ apiKeys, onClose, onRolled }: RollProps) {
  const { t } = useTexts()
  const { mutate, isPending, error } = useCommand('rollApiKeys')
  return (
    <Confirm
      title={t('rollTitle')}
      action={t('roll')}
      onConfirm={() => mutate({}, { onSuccess: ({ data }) => onRolled(data.key) })}
      {...{ onClose, isPending, error }}
    >
      <p>{t('rollText')}</p>
      <ul className="plainList">
        {apiKeys.map(({ keyId, label, prefix }) => (
          <li key={keyId}>
            <strong>{label}</strong> <code>{prefix}…</code>
          </li>
        ))}
      </ul>
    </Confirm>
  )
}
