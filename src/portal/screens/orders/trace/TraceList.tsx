import { Link } from 'wouter'
import type { LineItem, Traceability } from '../../api/generated.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { BarMark } from '../../kit/BarMark.tsx'
import { Mark, TagChips } from '../../kit/Chip.tsx'
import { useTexts } from '../../texts/texts.ts'
import { lineTexts, lineTones } from './lineStatus.ts'

type TracedLine = Traceability['lineItems'][number]
type TracedCut = TracedLine['cuts'][number]

interface TraceProps {
  readonly lineItems: readonly LineItem[]
  readonly traced: Traceability
}

/** The way from each line to its cuts, their bars and the heats of these, as a nested list that is drawn in columns. */
export function Trace({ lineItems, traced }: TraceProps) {
  return (
    <ul className="trace">
      {traced.lineItems.map((line) => (
        <Line
          key={line.lineItemId}
          line={line}
          item={lineItems.find(({ lineItemId }) => lineItemId === line.lineItemId)}
        />
      ))}
    </ul>
  )
}

function Line({ line, item }: { readonly line: TracedLine; readonly item: LineItem | undefined }) {
  const { t, number } = useTexts()
  const bars = Map.groupBy(line.cuts, ({ barId }) => barId)
  return (
    <li className="traceLine">
      <div className="traceFrom">
        <strong>{t('line', { n: line.lineNumber })}</strong>
        {line.cancelled ? (
          <Mark tone="calm">{t('cancelled')}</Mark>
        ) : (
          <Mark tone={lineTones[line.status]}>{t(lineTexts[line.status])}</Mark>
        )}
        {item && (
          <p className="muted">
            {[
              item.grade,
              item.profile,
              t('pieces', { n: number(item.quantity), length: number(item.lengthMm) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
      </div>
      {bars.size === 0 ? (
        <p className="muted">{t('noCuts')}</p>
      ) : (
        <ul className="traceBars">
          {[...bars].map(([barId, cuts]) => (
            <Bar key={barId} cuts={cuts} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Bar({ cuts }: { readonly cuts: readonly TracedCut[] }) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const [{ barId, barStatus, millCertificationId, heatNumber, certificateNumber, tags }] = cuts as [TracedCut]
  const lengths = [...Map.groupBy(cuts, ({ lengthMm }) => lengthMm)].map(([length, same]) =>
    t('pieces', { n: number(same.length), length: number(length) }),
  )
  return (
    <li className="traceBar">
      <span className="traceStep">{lengths.join(', ')}</span>
      <span className="traceStep">
        <Link href={pathIn(companyId, `/bars/${barId}`)}>
          {t('bar')} {barId.slice(0, 8)}
        </Link>
        <BarMark status={barStatus} />
      </span>
      <span className="traceStep">
        {millCertificationId === null ? (
          <Mark tone="warn">{t('noHeat')}</Mark>
        ) : (
          <>
            <Link href={pathIn(companyId, `/certificates/${millCertificationId}`)}>
              {heatNumber} · {certificateNumber}
            </Link>
            {tags.length > 0 && <TagChips tags={tags} />}
          </>
        )}
      </span>
    </li>
  )
}
