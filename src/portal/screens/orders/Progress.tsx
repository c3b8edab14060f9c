import type { LineItem } from '../../api/generated.ts'
import { useTexts } from '../../texts/texts.ts'

/** How far the lines of an order are: a bar, and the same in words. */
export function Progress({ lineItems }: { readonly lineItems: readonly LineItem[] }) {
  const { t } = useTexts()
  const lines = lineItems.filter(({ cancelled }) => !cancelled)
  const count = (status: LineItem['status']) => lines.filter((line) => line.status === status).length
  const [done, started] = [count('Completed'), count('In Progress')]
  const share = (part: number) => `${lines.length === 0 ? 0 : (100 * part) / lines.length}%`
  return (
    <span className="progress" title={t('progressText', { done, started, all: lines.length })}>
      <span className="track" aria-hidden="true">
        <span className="done" style={{ width: share(done) }} />
        <span className="started" style={{ width: share(started) }} />
      </span>
      <span aria-hidden="true" className="muted small noWrap">
        {done}/{lines.length}
      </span>
      <span className="visuallyHidden">{t('progressText', { done, started, all: lines.length })}</span>
    </span>
  )
}
