import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useTexts } from '../../texts/texts.ts'

interface DrawnBar extends Pick<ListedProductionPlanBar, 'stockLengthMm' | 'remnantMm'> {
  readonly cuts: readonly Pick<
    ListedProductionPlanBar['cuts'][number],
    'cutId' | 'status' | 'lengthMm' | 'pieceMark'
  >[]
}

interface CutDiagramProps {
  readonly bar: DrawnBar
  /** The length that fills the width, so that the bars of a plan have one scale. */
  readonly longestMm: number
}

/** The share of the width, in percent, that a character of a name needs. */
const roomForCharacter = 3

/** The name of a piece, or the part of it for which there is room. */
function PieceName({
  mark,
  length,
  width,
}: Readonly<Record<'mark' | 'length', string>> & { readonly width: number }) {
  const hasRoomFor = (name: string) => name.length * roomForCharacter <= width
  return (
    <>
      {hasRoomFor(mark + length) && <tspan className="pieceMark">{mark}</tspan>}
      {hasRoomFor(length) && length}
    </>
  )
}

/** A bar with its pieces, to scale. */
export function CutDiagram({ bar, longestMm }: CutDiagramProps) {
  const { t, number } = useTexts()
  const percent = (mm: number) => (100 * mm) / longestMm
  const pieces = placeCuts(bar).map(({ cut, fromMm }) => ({
    ...cut,
    x: percent(fromMm),
    width: percent(cut.lengthMm),
    length: number(cut.lengthMm),
    mark: cut.pieceMark === null ? '' : `${cut.pieceMark} · `,
  }))
  const remnant = `${t('remnant')} ${number(bar.remnantMm)} mm`
  const label = [...pieces.map(({ mark, length }) => `${mark}${length} mm`), remnant].join(', ')
  return (
    <svg className="cutDiagram" role="img" aria-label={label}>
      <title>{label}</title>
      <rect className="stock" width={`${percent(bar.stockLengthMm)}%`} height="100%" />
      {pieces.map(({ cutId, status, x, width, length, mark }) => (
        <g key={cutId} className={status}>
          <rect x={`${x}%`} width={`${width}%`} height="100%" />
          <text x={`${x + width / 2}%`} y="50%">
            <PieceName {...{ mark, length, width }} />
          </text>
        </g>
      ))}
    </svg>
  )
}

/** The cuts that take steel, from the end of the bar on. */
function placeCuts({ cuts }: Pick<DrawnBar, 'cuts'>) {
  let endMm = 0
  return cuts
    .filter(({ status }) => status !== 'Rejected')
    .map((cut) => {
      const fromMm = endMm
      endMm += cut.lengthMm
      return { cut, fromMm }
    })
}
