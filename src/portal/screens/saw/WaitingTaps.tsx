import { useCompanyId } from '../../app/company.tsx'
import { usePerson } from '../../app/session.tsx'
import { isWaiting } from '../../taps/taps.ts'
import { useTaps } from '../../taps/useTaps.ts'
import { useTexts } from '../../texts/texts.ts'

/**
 * Say how many taps wait for the network or for another person. Each tap waits for a moment, so this stands below the
 * buttons: above them it would move them under the finger.
 */
export function WaitingTaps() {
  const { t } = useTexts()
  const { userId } = usePerson()
  const companyId = useCompanyId()
  const waiting = useTaps().filter((tap) => isWaiting(tap) && tap.companyId === companyId)
  const mine = waiting.filter((tap) => tap.userId === userId).length
  const others = waiting.length - mine
  return (
    <div role="status">
      {mine > 0 && <p className="sawWaiting">{t('tapsWaiting', { n: mine })}</p>}
      {others > 0 && <p className="sawWaiting">{t('tapsOfOthers', { n: others })}</p>}
    </div>
  )
}
