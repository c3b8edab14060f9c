import { usePerson } from '../app/session.tsx'
import { Page } from '../kit/Page.tsx'
import { useTexts } from '../texts/texts.ts'

/** The overview of a person who is a member of no company. */
export function NoCompany() {
  const { t } = useTexts()
  const { userId } = usePerson()
  return (
    <Page title={t('overview')}>
      <h2>{t('noCompany')}</h2>
      <p>{t('noCompanyText', { id: userId })}</p>
    </Page>
  )
}
