import { Link } from 'wouter'
import { Page } from '../kit/Page.tsx'
import { useTexts } from '../texts/texts.ts'

export function Missing() {
  const { t } = useTexts()
  return (
    <Page title={t('notFound')}>
      <p>{t('notFoundText')}</p>
      <p>
        <Link href="/">{t('backHome')}</Link>
      </p>
    </Page>
  )
}
