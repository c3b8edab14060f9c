import type { LineItem, Traceability } from '../../api/generated.ts'
import { Mark } from '../../kit/Chip.tsx'
import { listOf, Table } from '../../kit/Table.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'

type Pieces = Traceability['lineItems'][number]['pieces']

interface RollUpProps {
  readonly lineItems: readonly LineItem[]
  readonly traced: Traceability
}

/** A line of the table; without a name, the sum of all lines. */
interface Row {
  readonly key: string
  readonly name: string | undefined
  readonly about: string
  readonly isCancelled: boolean
  readonly pieces: Pieces
}

/** The states of a piece, in the order of the picture. */
const states = {
  dispatched: 'pieceDispatched',
  cut: 'pieceCut',
  planned: 'piecePlanned',
  open: 'pieceOpen',
  scrapped: 'pieceIsScrap',
  tooShort: 'pieceTooShort',
} as const satisfies Record<string, TextName>
type State = keyof typeof states
const stateNames = Object.keys(states) as State[]

/** How many pieces of each line are planned, cut, dispatched and scrapped: as numbers, and as a picture of them. */
export function RollUp({ lineItems, traced }: RollUpProps) {
  const { t, number } = useTexts()
  const itemOf = new Map(lineItems.map((item) => [item.lineItemId, item]))
  const lines = traced.lineItems.map(({ lineItemId, lineNumber, cancelled, pieces }): Row => {
    const { description, pieceMark, profile, grade, lengthMm } = itemOf.get(lineItemId) ?? {}
    return {
      key: lineItemId,
      name: t('line', { n: lineNumber }),
      about: [description, pieceMark, profile, grade, lengthMm && `${number(lengthMm)} mm`]
        .filter(Boolean)
        .join(' · '),
      isCancelled: cancelled,
      pieces,
    }
  })
  const valid = lines.filter(({ isCancelled }) => !isCancelled)
  const sum: Row = { key: 'all', name: undefined, about: '', isCancelled: false, pieces: sumOf(valid) }
  return (
    <>
      <ul className="legend" aria-hidden="true">
        {stateNames.map((state) => (
          <li key={state}>
            <span className={`share ${state}`} /> {t(states[state])}
          </li>
        ))}
      </ul>
      <Table
        label={t('rollUp')}
        list={listOf(lines.length > 1 ? [sum, ...lines] : lines)}
        rowKey={({ key }) => key}
        empty={null}
        columns={[
          {
            title: t('lineTitle'),
            cell: ({ name, about, isCancelled }) => (
              <>
                <strong className="noWrap">{name ?? t('allLines')}</strong>{' '}
                {isCancelled && <Mark tone="calm">{t('cancelled')}</Mark>}
                {about !== '' && <div className="muted small">{about}</div>}
              </>
            ),
          },
          { title: t('picture'), cell: ({ pieces }) => <Picture pieces={pieces} /> },
          { title: t('pieceRequired'), cell: ({ pieces }) => number(pieces.required), ...inNumbers },
          ...stateNames.map((state) => ({
            title: t(states[state]),
            cell: ({ pieces }: Row) => number(countOf(pieces, state)),
            ...inNumbers,
          })),
        ]}
      />
    </>
  )
}

const inNumbers = { isNumber: true, from: 'tablet' } as const

function Picture({ pieces }: { readonly pieces: Pieces }) {
  const { t, number } = useTexts()
  const shownStates = stateNames
    .map((state) => ({ state, count: countOf(pieces, state) }))
    .filter(({ count }) => count > 0)
  return (
    <>
      <span className="rollUp" aria-hidden="true">
        {shownStates.map(({ state, count }) => (
          <span key={state} className={`share ${state}`} style={{ flexGrow: count }} />
        ))}
      </span>
      <span className="small onPhone">
        {[
          `${t('pieceRequired')} ${number(pieces.required)}`,
          ...shownStates.map(({ state, count }) => `${t(states[state])} ${number(count)}`),
        ].join(' · ')}
      </span>
    </>
  )
}

/** The pieces in a state. Those that no bar is planned for are open. */
function countOf(pieces: Pieces, state: State): number {
  if (state !== 'open') return pieces[state]
  return Math.max(0, pieces.required - pieces.planned - pieces.cut - pieces.dispatched)
}

function sumOf(lines: readonly Row[]): Pieces {
  const sum = (name: keyof Pieces) => lines.reduce((count, { pieces }) => count + pieces[name], 0)
  return {
    required: sum('required'),
    planned: sum('planned'),
    cut: sum('cut'),
    scrapped: sum('scrapped'),
    dispatched: sum('dispatched'),
    tooShort: sum('tooShort'),
  }
}
