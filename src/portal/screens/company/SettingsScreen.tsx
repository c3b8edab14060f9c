import { useCompanyId } from '../../app/company.tsx'
import { useMay, usePerson } from '../../app/session.tsx'
import { Page } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'
import { RulePacks } from '../rulePacks/RulePacks.tsx'
import { CompanyExports } from './CompanyExports.tsx'
import { Invitations } from './Invitations.tsx'
import { KeyLife } from './KeyLife.tsx'
import { Members } from './Members.tsx'
import { ReleasePolicy } from './ReleasePolicy.tsx'
import { SawSessions } from './SawSessions.tsx'
import { Webhooks } from './Webhooks.tsx'

/** Members, roles, rule packs, webhooks, release policy, sessions, API keys and exports of a company. */
export function SettingsScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const { memberships } = usePerson()
  const company = memberships.find((one) => one.companyId === companyId)?.companyName ?? ''
  return (
    <Page title={t('settings')} lead={t('settingsText', { company })}>
      {may('listMembers') && <Members />}
      {may('listInvitations') && <Invitations />}
      {may('listWebhooks') && <Webhooks />}
      <RulePacks />
      <ReleasePolicy />
      <SawSessions />
      <KeyLife />
      {may('getCompanyExportContent') && <CompanyExports />}
    </Page>
  )
}
