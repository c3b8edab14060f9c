import { useCompanyId } from '../../app/company.tsx'
import { usePerson } from '../../app/session.tsx'
import { useNow, useOnline } from '../../kit/useNow.ts'
import { isWaiting } from '../../taps/taps.ts'
import { useTaps } from '../../taps/useTaps.ts'
import { useTexts } from '../../texts/texts.ts'

interface ConnectionProps {
  readonly readAtMs: number
  readonly error: Error | null
}

/** Milliseconds without an answer after which there is no connection, whatever the device says. */
const silentForMs = 15_000

/** Say that the network is gone, and how many taps wait for it or for another person. */
export function Connection({ readAtMs, error }: ConnectionProps) {
  const { t } = useTexts()
  const isOnline = useOnline()
  const now = useNow()
  const { userId } = usePerson()
  const companyId = useCompanyId()
  const waiting = useTaps().filter((tap) => isWaiting(tap) && tap.companyId === companyId)
  const mine = waiting.filter((tap) => tap.userId === userId).length
  const others = waiting.length - mine
  const isSilent = readAtMs > 0 && now - readAtMs > silentForMs
  const isGone = !isOnline || error !== null || isSilent
  return (
    <div role="status">
      {isGone && (
        <p className="sawTold warn">
          <strong>{t('offline')}.</strong> {t('tapsKept')}
        </p>
      )}
      {mine > 0 && <p className="sawWaiting">{t('tapsWaiting', { n: mine })}</p>}
      {others > 0 && <p className="sawWaiting">{t('tapsOfOthers', { n: others })}</p>}
    </div>
  )
}
