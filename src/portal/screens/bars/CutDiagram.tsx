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

/** The share of the width, in percent, that a character of a name needs on a narrow screen. */
const roomForCharacter = 2.4

/** The longest of the names for which a piece has room; none on a short piece. */
function nameFor(width: number, ...names: readonly string[]): string | undefined {
  return names.find((name) => name.length * roomForCharacter <= width)
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
    name: [cut.pieceMark, number(cut.lengthMm)].filter(Boolean).join(' · '),
  }))
  const remnant = `${t('remnant')} ${number(bar.remnantMm)} mm`
  const label = [...pieces.map(({ name }) => `${name} mm`), remnant].join(', ')
  return (
    <svg className="cutDiagram" role="img" aria-label={label}>
      <title>{label}</title>
      <rect className="stock" width={`${percent(bar.stockLengthMm)}%`} height="100%" />
      {pieces.map(({ cutId, status, x, width, length, name }) => (
        <g key={cutId} className={status}>
          <rect x={`${x}%`} width={`${width}%`} height="100%" />
          <text x={`${x + width / 2}%`} y="50%">
            {nameFor(width, name, length)}
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
