import type { LogAnchors } from '../../api/generated.ts'
import { useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'

const anchorTexts = {
  export: 'anchorExport',
  folder: 'anchorFolder',
  timestamp: 'anchorTimestamp',
} as const satisfies Record<LogAnchors['anchors'][number]['kind'], TextName>

/** Up to which event the history is anchored outside of the service, since when and where, and what to do. */
export function Anchors() {
  const { t, number, dateTime } = useTexts()
  const { data, error } = useRecord('listLogAnchors', { params: { companyId: useCompanyId() } })
  if (!data) return error ? <Failure error={error} /> : <Loading lines={2} />
  const { events, anchors } = data.data
  return (
    <section className="card checkpoint" aria-labelledby="anchors">
      <h2 id="anchors">{t('anchors')}</h2>
      <p>{t('anchorsText')}</p>
      {anchors.length === 0 && <p>{t('noAnchors')}</p>}
      {anchors.length > 0 && (
        <ul className="plainList">
          {anchors.map((anchor) => (
            <li key={anchor.kind}>
              {t(anchorTexts[anchor.kind], { n: number(anchor.events), at: dateTime(anchor.anchoredAt) })}
            </li>
          ))}
        </ul>
      )}
      {anchors.length > 0 && <Rest from={anchors[0]!.events + 1} to={events} />}
      <p className="muted">{t('anchorsToDo')}</p>
    </section>
  )
}

/** Name the events that no anchor covers. The first anchor covers most events. */
function Rest({ from, to }: { readonly from: number; readonly to: number }) {
  const { t, number } = useTexts()
  if (from > to) return <p>{t('allAnchored')}</p>
  if (from === to) return <p>{t('lastNotAnchored', { n: number(to) })}</p>
  return <p>{t('restNotAnchored', { from: number(from), to: number(to) })}</p>
}
