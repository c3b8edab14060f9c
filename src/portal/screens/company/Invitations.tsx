import { useState } from 'react'
import { useCommand, useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, TextField } from '../../kit/Form.tsx'
import { Section } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { RoleChoices } from './RoleChoices.tsx'
import { type Role, useRoleNames } from './roles.ts'

/** The people whom an Admin has invited and who have not logged in yet. Nothing, if there are none. */
export function Invitations() {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const namesOf = useRoleNames()
  const list = useList('listInvitations', { params })
  const { mutate, isPending } = useCommand('withdrawInvitation')
  if (!list.rows?.length) return null
  return (
    <Section title={t('invitations')}>
      <Table
        label={t('invitations')}
        list={list}
        rowKey={({ invitationId }) => invitationId}
        empty={null}
        columns={[
          { title: t('email'), cell: ({ email }) => email },
          { title: t('roles'), cell: ({ roles }) => namesOf(...roles) },
          {
            title: t('moreActions'),
            isUntitled: true,
            cell: ({ invitationId }) => (
              <Button onPress={() => mutate({ params: { ...params, invitationId } })} isPending={isPending}>
                {t('withdrawInvitation')}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}

export function Invite({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts()
  const [email, setEmail] = useState('')
  const [wanted, setWanted] = useState<Role[]>(['Viewer'])
  const { mutate, isPending, error } = useCommand('inviteMember')
  const params = { companyId: useCompanyId() }
  return (
    <Dialog title={t('inviteByEmail')} onClose={onClose} shape="panel">
      <Form
        onSubmit={() =>
          mutate(
            { params, body: { email: email.trim(), roles: wanted } },
            tellAndClose(t('invited', { email: email.trim() }), onClose),
          )
        }
        onCancel={onClose}
        submit={t('invite')}
        {...{ isPending, error }}
      >
        <TextField
          label={t('email')}
          value={email}
          onChange={setEmail}
          fault={faultOf(error, 'email')}
          help={t('inviteHelp')}
          isRequired
          autoFocus
        />
        <RoleChoices chosen={wanted} onChange={setWanted} />
      </Form>
    </Dialog>
  )
}
