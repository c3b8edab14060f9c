import { type ReactNode, useState } from 'react'
import type { Traceability } from '../../../api/generated.ts'
import { type TextName, useTexts } from '../../../texts/texts.ts'
import type { TurnableFolds } from './folds.ts'
import {
  type Column,
  columns,
  nodesIn,
  pathThrough,
  type TracedLine,
  type TraceGraph,
  traceGraph,
} from './graph.ts'
import { rowRem, TraceItem } from './TraceItem.tsx'
import { useWalk } from './walk.ts'

interface TraceDiagramProps {
  readonly traced: Traceability
  /** The lines that are wanted. */
  readonly lines: readonly TracedLine[]
  readonly folds: TurnableFolds
}

const columnTexts: Readonly<Record<Column, TextName>> = {
  order: 'order',
  lines: 'lines',
  cuts: 'cuts',
  bars: 'bars',
  heats: 'heats',
  certificates: 'certificates',
}

/**
 * The way from the order to the certificates, in columns. For the keyboard and for screen readers it is one tree: the
 * arrow keys follow its edges, and Enter opens a node.
 */
export function TraceDiagram({ traced, lines, folds }: TraceDiagramProps) {
  const { t } = useTexts()
  const graph = traceGraph(lines, folds)
  const walk = useWalk(graph, folds)
  const [pointed, setPointed] = useState<string>()
  const lit = [pointed, walk.focused].find((id) => id !== undefined && graph.nodes.has(id))
  const path = lit === undefined ? new Set<string>() : pathThrough(graph, lit)
  return (
    <div className="diagram">
      <p id="traceHelp" className="muted small">
        {t('traceHelp')}
      </p>
      <div className="diagramHead" aria-hidden="true">
        {columns.map((column) => (
          <span key={column}>{t(columnTexts[column])}</span>
        ))}
      </div>
      <div
        role="tree"
        aria-label={t('traceOf', { order: traced.orderNumber })}
        aria-describedby="traceHelp"
        className="diagramTree"
        style={{ height: `${graph.rows * rowRem}rem` }}
        onPointerLeave={() => setPointed(undefined)}
        {...walk.tree}
      >
        {columns.map((column) => (
          <DrawnColumn key={column} name={t(columnTexts[column])} {...{ graph, column, path }}>
            {nodesIn(graph, column).map((node) => (
              <TraceItem
                key={node.id}
                {...{ traced, graph, node, walk }}
                isLit={path.has(node.id)}
                onPoint={() => setPointed(node.id)}
              />
            ))}
          </DrawnColumn>
        ))}
      </div>
    </div>
  )
}

interface DrawnColumnProps {
  readonly name: string
  readonly graph: TraceGraph
  readonly column: Column
  /** The nodes on the path that is shown. */
  readonly path: ReadonlySet<string>
  readonly children: ReactNode
}

/** The nodes of a column, and the edges that lead to them from the column before. */
function DrawnColumn({ name, graph, column, path, children }: DrawnColumnProps) {
  const before = columns[columns.indexOf(column) - 1]
  const edges = nodesIn(graph, column)
    .flatMap(({ id, row, from }) =>
      from
        .map((origin) => graph.nodes.get(origin)!)
        .filter((origin) => origin.column === before)
        .map((origin) => ({
          key: `${origin.id} ${id}`,
          line: edge(origin.row + 0.5, row + 0.5),
          isLit: path.has(id) && path.has(origin.id),
        })),
    )
    // The path is drawn over the others.
    .toSorted((one, other) => Number(one.isLit) - Number(other.isLit))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form, and this is a part of a tree
    <div role="group" aria-label={name} className="diagramColumn">
      <svg
        viewBox={`0 0 10 ${graph.rows}`}
        preserveAspectRatio="none"
        className="diagramEdges"
        aria-hidden="true"
      >
        {edges.map(({ key, line, isLit }) => (
          <path key={key} d={line} className={isLit ? 'lit' : undefined} />
        ))}
      </svg>
      {children}
    </div>
  )
}

/** Return the curve from a row in the column before to a row in this one. */
function edge(from: number, to: number): string {
  return `M0 ${from}C5 ${from} 5 ${to} 10 ${to}`
}
