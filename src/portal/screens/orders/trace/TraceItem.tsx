import { Link } from 'wouter'
import type { Traceability } from '../../../api/generated.ts'
import { pathIn, useCompanyId } from '../../../app/company.tsx'
import { Glyph } from '../../../kit/Glyph.tsx'
import { useTexts } from '../../../texts/texts.ts'
import type { TraceGraph, TraceNode } from './graph.ts'
import { useNodeTexts } from './nodeTexts.ts'
import { canTurn, type Walk } from './walk.ts'

/** The height of a row in the diagram. */
export const rowRem = 4.5

interface TraceItemProps {
  readonly traced: Traceability
  readonly graph: TraceGraph
  readonly node: TraceNode
  readonly walk: Walk
  /** The node is on the path that is shown. */
  readonly isLit: boolean
  readonly onPoint: () => void
}

/** A node of the diagram: a link to its record, or a button that opens and closes what is below it. */
export function TraceItem({ traced, graph, node, walk, isLit, onPoint }: TraceItemProps) {
  const companyId = useCompanyId()
  const place = placeOf(node)
  const isTurned = canTurn(node)
  const props = {
    role: 'treeitem',
    'data-node': node.id,
    'aria-level': node.level,
    ...(isTurned && { 'aria-expanded': node.isOpen }),
    tabIndex: node.id === walk.stop ? 0 : -1,
    'data-kind': node.kind,
    className: isLit ? 'diagramNode lit' : 'diagramNode',
    style: { top: `${node.row * rowRem}rem` },
    onPointerEnter: onPoint,
    children: <Content {...{ traced, graph, node }} />,
  }
  if (place !== undefined) return <Link href={pathIn(companyId, place)} {...props} />
  if (isTurned || node.kind === 'more')
    return <button type="button" onClick={() => walk.act(node)} {...props} />
  return <div {...props} />
}

/** Return the address of the record of a node; undefined if it has none. */
function placeOf(node: TraceNode): string | undefined {
  switch (node.kind) {
    case 'piece':
      return `/bars/${node.cut.barId}`
    case 'bar':
      return `/bars/${node.cuts[0].barId}`
    case 'heat':
      return node.heatNumber === null
        ? undefined
        : `/certificates?search=${encodeURIComponent(node.heatNumber)}`
    case 'certificate':
      return `/certificates/${node.cut.millCertificationId}`
    default:
      return undefined
  }
}

/** Neighbours that are named to a screen reader. */
const namedNeighbours = 3

function Content({ traced, graph, node }: Pick<TraceItemProps, 'traced' | 'graph' | 'node'>) {
  const { t } = useTexts()
  const textOf = useNodeTexts(traced)
  const { title, state } = textOf(node)
  const names = (ids: readonly string[]) =>
    ids
      .slice(0, namedNeighbours)
      .map((id) => textOf(graph.nodes.get(id)!).title)
      .concat(ids.length > namedNeighbours ? ['…'] : [])
      .join(', ')
  return (
    <>
      <span className="diagramTitle" title={title}>
        {title}
      </span>
      <span className={`diagramState ${state.tone}`} title={state.text}>
        <Glyph tone={state.tone} /> {state.text}
      </span>
      <span className="visuallyHidden">
        {node.from.length > 0 && t('traceFrom', { names: names(node.from) })}{' '}
        {node.to.length > 0 && t('traceTo', { names: names(node.to) })}
      </span>
    </>
  )
}
