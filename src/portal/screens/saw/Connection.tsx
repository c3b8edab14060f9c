import { useNow, useOnline } from '../../kit/useNow.ts'
import { useTexts } from '../../texts/texts.ts'

interface ConnectionProps {
  readonly readAtMs: number
  readonly error: Error | null
}

/** Milliseconds without an answer after which there is no connection, whatever the device says. */
const silentForMs = 15_000

/** Say that the network is gone. */
export function Connection({ readAtMs, error }: ConnectionProps) {
  const { t } = useTexts()
  const isOnline = useOnline()
  const now = useNow()
  const isSilent = readAtMs > 0 && now - readAtMs > silentForMs
  const isGone = !isOnline || error !== null || isSilent
  return (
    <div role="status">
      {isGone && (
        <p className="sawTold warn">
          <strong>{t('offline')}.</strong> {t('tapsKept')}
        </p>
      )}
    </div>
  )
}
