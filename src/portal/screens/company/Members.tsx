import { useState } from 'react'
import type { ListedMember } from '../../api/generated.ts'
import { useCommand, useList, useRecord, useSeen } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { Button } from '../../kit/Button.tsx'
import { Confirm, Dialog } from '../../kit/Dialog.tsx'
import { EditForm } from '../../kit/EditForm.tsx'
import { Choices, faultOf, TextField } from '../../kit/Form.tsx'
import { Empty, Failure, Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Invite } from './Invitations.tsx'
import { RoleChoices } from './RoleChoices.tsx'
import { type Role, useRoleNames } from './roles.ts'

export function Members() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const namesOf = useRoleNames()
  const list = useList('listMembers', { params: { companyId } })
  const [editing, setEditing] = useState<ListedMember | 'new'>()
  const [removing, setRemoving] = useState<ListedMember>()
  const [isInviting, setIsInviting] = useState(false)
  return (
    <Section
      title={t('members')}
      actions={
        <>
          <Button onPress={() => setIsInviting(true)}>{t('inviteByEmail')}</Button>
          <Button kind="primary" onPress={() => setEditing('new')}>
            {t('addMember')}
          </Button>
        </>
      }
    >
      <Table
        label={t('members')}
        list={list}
        rowKey={({ userId }) => userId}
        empty={<Empty title={t('noMembers')} />}
        columns={[
          {
            title: t('name'),
            cell: ({ name, userId }) =>
              name ?? (
                <>
                  <span className="muted">{t('unknownName')}</span>
                  <div className="small memberId">
                    <code>{userId}</code>
                  </div>
                </>
              ),
          },
          { title: t('userId'), cell: ({ userId }) => <code>{userId}</code>, from: 'desktop' },
          { title: t('roles'), cell: ({ roles }) => namesOf(...roles) },
          {
            title: t('moreActions'),
            isUntitled: true,
            cell: (member) => (
              <Actions
                actions={[
                  { text: t('edit'), act: () => setEditing(member) },
                  { text: t('remove'), act: () => setRemoving(member), isDangerous: true },
                ]}
              />
            ),
          },
        ]}
      />
      {isInviting && <Invite onClose={() => setIsInviting(false)} />}
      {editing && (
        <MemberPanel {...(editing !== 'new' && { member: editing })} onClose={() => setEditing(undefined)} />
      )}
      {removing && <Remove member={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

interface MemberPanelProps {
  /** Absent for a new member. */
  readonly member?: ListedMember
  readonly onClose: () => void
}

function MemberPanel({ member, onClose }: MemberPanelProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), userId: member?.userId ?? '' }
  // The form begins with the newest roles, and what others do meanwhile does not change it.
  const { data, error } = useRecord('getMember', { params }, { enabled: member !== undefined, every: false })
  return (
    <Dialog title={member ? (member.name ?? member.userId) : t('addMember')} onClose={onClose} shape="panel">
      {!member ? (
        <MemberForm onClose={onClose} />
      ) : data ? (
        <MemberForm member={data.data} etag={data.etag} onClose={onClose} />
      ) : error ? (
        <Failure error={error} />
      ) : (
        <Loading lines={4} />
      )}
    </Dialog>
  )
}

interface MemberFormProps extends MemberPanelProps {
  readonly etag?: string | undefined
}

function MemberForm({ member, etag, onClose }: MemberFormProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [userId, setUserId] = useState(member?.userId ?? '')
  const [wantedRoles, setWantedRoles] = useState<Role[]>([...(member?.roles ?? (['Viewer'] as const))])
  const [narrowed, setNarrowed] = useState<string[]>([])
  const { mutate, isPending, error, reset } = useCommand('setMemberRoles')
  const namesOf = useRoleNames()
  const params = { companyId, userId: userId.trim() }
  const isLowered = member?.roles.some((role) => !wantedRoles.includes(role)) ?? false
  const query = { narrowKeys: isLowered && narrowed.includes('keys') }
  const save = (ifMatch: string | undefined) =>
    mutate({ params, query, body: { roles: wantedRoles }, ifMatch }, tellAndClose(t('memberSaved'), onClose))
  return (
    <EditForm
      id="getMember"
      input={{ params }}
      compare={(theirs) => [
        { name: t('roles'), mine: namesOf(...wantedRoles), theirs: namesOf(...theirs.roles) },
      ]}
      onSave={save}
      onRead={reset}
      onCancel={onClose}
      submit={t(member ? 'save' : 'addMember')}
      {...{ etag, isPending, error }}
    >
      {!member && (
        <TextField
          label={t('userId')}
          value={userId}
          onChange={setUserId}
          fault={faultOf(error, 'userId')}
          isRequired
          autoFocus
        />
      )}
      <RoleChoices chosen={wantedRoles} onChange={setWantedRoles} />
      {isLowered && (
        <Choices
          label={t('keys')}
          chosen={narrowed}
          onChange={setNarrowed}
          options={[{ value: 'keys', text: t('narrowKeys') }]}
        />
      )}
    </EditForm>
  )
}

interface RemoveProps {
  readonly member: ListedMember
  readonly onClose: () => void
}

function Remove({ member: { userId, name }, onClose }: RemoveProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [chosen, setChosen] = useState<string[]>([])
  const { mutate, isPending, error } = useCommand('removeMember')
  const params = { companyId, userId }
  const { ifMatch, isReading } = useSeen('getMember', { params })
  const remove = () =>
    mutate(
      { params, ifMatch, query: { keepKeys: chosen.includes('keys') } },
      tellAndClose(t('memberRemoved'), onClose),
    )
  return (
    <Confirm
      title={t('removeTitle', { name: name ?? userId })}
      action={t('remove')}
      onConfirm={remove}
      {...{ onClose, error }}
      isPending={isPending || isReading}
    >
      <p>{t('removeText')}</p>
      <Choices
        label={t('keys')}
        chosen={chosen}
        onChange={setChosen}
        options={[{ value: 'keys', text: t('keepKeys') }]}
      />
    </Confirm>
  )
}
