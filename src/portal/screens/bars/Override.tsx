import type { Finding, ListedProductionPlanBar } from '../../api/generated.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { useTexts } from '../../texts/texts.ts'
import { useAsk } from './ask.ts'

interface OverrideProps {
  readonly bar: ListedProductionPlanBar
  /** The Block findings that no override covers. */
  readonly findings: readonly Finding[]
  readonly onAsked?: () => void
}

/** Offer to override findings, if the person may do so. */
export function Override({ bar, findings, onAsked }: OverrideProps) {
  const { t } = useTexts()
  const may = useMay(useCompanyId())
  const ask = useAsk()
  if (findings.length === 0 || !may('overrideFindings')) return null
  const override = () => {
    ask({ bar, about: 'override', findings })
    onAsked?.()
  }
  return <Button onPress={override}>{t('override')}</Button>
}
