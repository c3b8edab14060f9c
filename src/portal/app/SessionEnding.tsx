import { sessionEnds } from '../api/client.ts'
import { useRecord } from '../api/queries.ts'
import { Button } from '../kit/Button.tsx'
import { useNow } from '../kit/useNow.ts'
import { useTexts } from '../texts/texts.ts'
import { openLogin } from './session.tsx'

const minuteMs = 60_000
const warnBeforeMs = 5 * minuteMs

/** Warn that the session will end soon, so that people at a saw can log in before a tap has to wait. */
export function SessionEnding() {
  const { t } = useTexts()
  const now = useNow()
  const { refetch } = useRecord('getMe', {}, { enabled: false })
  const { idleAtMs, latestAtMs } = sessionEnds() ?? { idleAtMs: now, latestAtMs: now }
  const endsAtMs = Math.min(idleAtMs, latestAtMs)
  const isSoon = endsAtMs > now && endsAtMs - now <= warnBeforeMs
  const isLatest = latestAtMs <= idleAtMs
  return (
    <div role="status">
      {isSoon && (
        <div className="sessionEnding">
          <p>
            {t(isLatest ? 'sessionEndsLatest' : 'sessionEndsIdle', {
              n: Math.ceil((endsAtMs - now) / minuteMs),
            })}
          </p>
          {/* The press counts as a use of the session, and the request tells the service of it at once. */}
          <Button onPress={isLatest ? openLogin : () => void refetch()}>
            {t(isLatest ? 'logIn' : 'stayLoggedIn')}
          </Button>
        </div>
      )}
    </div>
  )
}
