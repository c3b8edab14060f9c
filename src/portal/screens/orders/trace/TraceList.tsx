import { Link } from 'wouter'
import type { LineItem } from '../../../api/generated.ts'
import { pathIn, useCompanyId } from '../../../app/company.tsx'
import { BarMark } from '../../../kit/BarMark.tsx'
import { Button } from '../../../kit/Button.tsx'
import { useBarName } from '../../../kit/barName.ts'
import { Mark, TagChips } from '../../../kit/Chip.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { lineTexts, lineTones } from '../lineStatus.ts'
import type { TurnableFolds } from './folds.ts'
import { type CutGroup, groupsOf, lineId, orderId, type TracedLine } from './graph.ts'
import { useCutStates, useLengths } from './nodeTexts.ts'

interface TraceListProps {
  readonly lineItems: readonly LineItem[]
  readonly lines: readonly TracedLine[]
  readonly folds: TurnableFolds
}

/** The way from each line to its cuts, their bars and the heats of these, as a nested list. */
export function TraceList({ lineItems, lines, folds }: TraceListProps) {
  const { t } = useTexts()
  const shownCount = folds.countShown(orderId)
  return (
    <>
      <ul className="trace">
        {lines.slice(0, shownCount).map((line) => (
          <Line
            key={line.lineItemId}
            {...{ line, folds }}
            item={lineItems.find(({ lineItemId }) => lineItemId === line.lineItemId)}
          />
        ))}
      </ul>
      {lines.length > shownCount && <Button onPress={() => folds.showMore(orderId)}>{t('more')}</Button>}
    </>
  )
}

interface LineProps {
  readonly line: TracedLine
  readonly item: LineItem | undefined
  readonly folds: TurnableFolds
}

function Line({ line, item, folds }: LineProps) {
  const { t, number } = useTexts()
  const id = lineId(line)
  const groups = groupsOf(line)
  const isOpen = folds.isOpen(id)
  const shownCount = folds.countShown(id)
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
      {groups.length === 0 ? (
        <p className="muted">{t('noCuts')}</p>
      ) : (
        <details
          open={isOpen}
          onToggle={({ currentTarget }) => currentTarget.open !== isOpen && folds.turn(id)}
        >
          <summary>{t('cutsOnBars', { n: number(line.cuts.length), bars: number(groups.length) })}</summary>
          {isOpen && (
            <ul className="traceBars">
              {groups.slice(0, shownCount).map((cuts) => (
                <Bar key={cuts[0].barId} cuts={cuts} />
              ))}
            </ul>
          )}
          {isOpen && groups.length > shownCount && (
            <Button onPress={() => folds.showMore(id)}>{t('more')}</Button>
          )}
        </details>
      )}
    </li>
  )
}

function Bar({ cuts }: { readonly cuts: CutGroup }) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const { tone, text } = useCutStates()(cuts)
  const lengths = useLengths()(cuts)
  const nameOf = useBarName()
  const [{ barId, planName, barOrdinal, barStatus }] = cuts
  const [{ millCertificationId, heatNumber, certificateNumber, tags }] = cuts
  const marks = cuts.filter(({ pieceMark }) => pieceMark !== null)
  return (
    <li className="traceBar">
      <span className="traceStep">
        {lengths} <Mark tone={tone}>{text}</Mark>
        {marks.length > 0 && (
          <details>
            <summary>{t('pieceMarks')}</summary>
            {marks.map(({ pieceMark, lengthMm }) => `${pieceMark} (${number(lengthMm)} mm)`).join(', ')}
          </details>
        )}
      </span>
      <span className="traceStep">
        <Link href={pathIn(companyId, `/bars/${barId}`)}>{nameOf({ planName, ordinal: barOrdinal })}</Link>
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
