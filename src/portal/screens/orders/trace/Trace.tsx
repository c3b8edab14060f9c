import type { LineItem, Traceability } from '../../../api/generated.ts'
import { TextFilter, useFilters } from '../../../kit/filters.tsx'
import { useMedia } from '../../../kit/useMedia.ts'
import { Views } from '../../../kit/Views.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { useFolds } from './folds.ts'
import { isWanted, type TracedLine } from './graph.ts'
import { TraceDiagram } from './TraceDiagram.tsx'
import { TraceList } from './TraceList.tsx'

interface TraceProps {
  readonly lineItems: readonly LineItem[]
  readonly traced: Traceability
}

/** An order with at least this many lines has a filter for them. */
const manyLines = 10

/** The trace of an order, as a diagram or as a list with the same content. A narrow window shows the list alone. */
export function Trace({ lineItems, traced }: TraceProps) {
  const { t } = useTexts()
  const filters = useFilters()
  const isWide = useMedia('(min-width: 48rem)')
  const pieceMark = filters.value('piece').trim()
  const lines = traced.lineItems.filter((line) => pieceMark === '' || isWanted(line, pieceMark))
  const isList = !isWide || filters.value('trace') === 'list'
  return (
    <>
      <div className="toolbar">
        {isWide && (
          <Views
            label={t('traceability')}
            parameter="trace"
            views={[
              { value: '', text: t('asDiagram') },
              { value: 'list', text: t('asList') },
            ]}
          />
        )}
        {(traced.lineItems.length >= manyLines || pieceMark !== '') && (
          <TextFilter filters={filters} name="piece" label={t('lineOrMark')} />
        )}
      </div>
      {lines.length === 0 && <p className="muted">{t('nothingFound')}</p>}
      <Drawn key={pieceMark} {...{ lineItems, traced, lines, isList }} />
    </>
  )
}

interface DrawnProps extends TraceProps {
  readonly lines: readonly TracedLine[]
  readonly isList: boolean
}

function Drawn({ lineItems, traced, lines, isList }: DrawnProps) {
  const folds = useFolds(lines)
  return isList ? (
    <TraceList {...{ lineItems, lines, folds }} />
  ) : (
    <TraceDiagram {...{ traced, lines, folds }} />
  )
}
