import { normalise } from '../../../../domain/kernel/spellings.ts'
import type { Traceability } from '../../../api/generated.ts'

/** The trace of an order as a graph in columns: what is drawn of it, what leads where, and the row of each node. */

export type TracedLine = Traceability['lineItems'][number]
export type TracedCut = TracedLine['cuts'][number]
/** The cuts of a line on one bar; at least one. */
export type CutGroup = readonly [TracedCut, ...TracedCut[]]

/** The columns, from left to right. */
export const columns = ['order', 'lines', 'cuts', 'bars', 'heats', 'certificates'] as const
export type Column = (typeof columns)[number]

type Content =
  | { readonly kind: 'order'; readonly column: 'order' }
  | { readonly kind: 'line'; readonly column: 'lines'; readonly line: TracedLine; readonly isOpen: boolean }
  | { readonly kind: 'group'; readonly column: 'cuts'; readonly cuts: CutGroup; readonly isOpen: boolean }
  | { readonly kind: 'piece'; readonly column: 'cuts'; readonly cut: TracedCut }
  /** A bar, with its cuts for this order. */
  | { readonly kind: 'bar'; readonly column: 'bars'; readonly cuts: CutGroup }
  /** A heat; null stands for the heat of all bars that have none yet. */
  | { readonly kind: 'heat'; readonly column: 'heats'; readonly heatNumber: string | null }
  | { readonly kind: 'certificate'; readonly column: 'certificates'; readonly cut: TracedCut }
  /** The children of a node that are not drawn. */
  | {
      readonly kind: 'more'
      readonly column: 'lines' | 'cuts'
      readonly parent: string
      readonly count: number
    }

export type TraceNode = Content & {
  readonly id: string
  /** How far the node is from the order, which is at 1. */
  readonly level: number
  /** The nodes that lead here. */
  readonly from: readonly string[]
  /** The nodes that this one leads to. */
  readonly to: readonly string[]
  readonly row: number
}

export interface TraceGraph {
  readonly nodes: ReadonlyMap<string, TraceNode>
  readonly rows: number
}

/** Selects the parts of a trace that are drawn. */
export interface Folds {
  isOpen(id: string): boolean
  /** How many children of a node are drawn. */
  countShown(id: string): number
}

/** Children of a node that are drawn at first, and each time that one asks for more. */
export const portion = 25

/** Whether a line has this number, or a piece with a mark that begins so, however both are spelled. */
export function isWanted({ lineNumber, cuts }: TracedLine, text: string): boolean {
  const wantedMark = normalise(text)
  return (
    String(lineNumber) === wantedMark ||
    cuts.some(({ pieceMark }) => pieceMark !== null && normalise(pieceMark).startsWith(wantedMark))
  )
}

/** Groups of cuts that are drawn at first. */
const drawnAtFirst = 40

export const orderId = 'order'
export const lineId = ({ lineItemId }: TracedLine) => `line ${lineItemId}`
export const groupId = ({ lineItemId }: TracedLine, [{ barId }]: CutGroup) => `cuts ${lineItemId} ${barId}`

/** Return the cuts of a line, bar by bar. */
export function groupsOf({ cuts }: Pick<TracedLine, 'cuts'>): readonly CutGroup[] {
  return [...Map.groupBy(cuts, ({ barId }) => barId).values()] as unknown as CutGroup[]
}

/** Return the ids of the lines that are open at first: the first ones, while they have few groups altogether. */
export function openAtFirst(lines: readonly TracedLine[]): ReadonlySet<string> {
  let drawn = 0
  const isLast = (line: TracedLine) => {
    drawn += groupsOf(line).length
    return drawn > drawnAtFirst
  }
  const end = lines.findIndex(isLast)
  return new Set(lines.slice(0, end === -1 ? lines.length : end).map(lineId))
}

export function traceGraph(lines: readonly TracedLine[], folds: Folds): TraceGraph {
  const drawing = new Drawing(lines, folds)
  return { nodes: drawing.nodes, rows: drawing.rows }
}

type Drawn = Content & { id: string; level: number; from: string[]; to: string[]; row: number }

/** Lines and cuts take a row each, from top to bottom. Bars, heats and certificates then stand beside what leads to them. */
class Drawing {
  readonly nodes = new Map<string, Drawn>()
  readonly #folds: Folds
  readonly #groupOnBar: ReadonlyMap<string, CutGroup>
  #row = 0

  constructor(lines: readonly TracedLine[], folds: Folds) {
    this.#folds = folds
    const cuts = lines.flatMap((line) => line.cuts)
    this.#groupOnBar = new Map(groupsOf({ cuts }).map((group) => [group[0].barId, group]))
    this.#add(orderId, 1, { kind: 'order', column: 'order' })
    this.#addSome(lines, 'lines', orderId, (line) => this.#addLine(line))
    for (const column of ['bars', 'heats', 'certificates'] as const) this.#placeBesideOrigins(column)
  }

  get rows(): number {
    return [...this.nodes.values()].reduce((rows, { row }) => Math.max(rows, row + 1), 0)
  }

  /** Add a node if it is not there yet, and an edge that leads to it. */
  #add(id: string, level: number, content: Content, from?: string): string {
    const node = this.nodes.get(id) ?? { ...content, id, level, from: [], to: [], row: this.#row }
    this.nodes.set(id, node)
    if (from !== undefined) this.#link(from, id)
    return id
  }

  #link(from: string, to: string): void {
    const { from: origins } = this.nodes.get(to)!
    if (origins.includes(from)) return
    origins.push(from)
    this.nodes.get(from)!.to.push(to)
  }

  /** Add those children of a node that are to be drawn, and a node for the others. */
  #addSome<Child>(
    children: readonly Child[],
    column: 'lines' | 'cuts',
    parent: string,
    addOne: (child: Child) => void,
  ): void {
    const shownCount = this.#folds.countShown(parent)
    for (const child of children.slice(0, shownCount)) addOne(child)
    const count = children.length - shownCount
    if (count <= 0) return
    const level = this.nodes.get(parent)!.level + 1
    this.#add(`more ${parent}`, level, { kind: 'more', column, parent, count }, parent)
    this.#row++
  }

  #addLine(line: TracedLine): void {
    const groups = groupsOf(line)
    const isOpen = groups.length > 0 && this.#folds.isOpen(lineId(line))
    const id = this.#add(lineId(line), 2, { kind: 'line', column: 'lines', line, isOpen }, orderId)
    if (isOpen) this.#addSome(groups, 'cuts', id, (cuts) => this.#addGroup(line, cuts))
    else this.#row++
  }

  #addGroup(line: TracedLine, cuts: CutGroup): void {
    const id = groupId(line, cuts)
    const isOpen = cuts.length > 1 && this.#folds.isOpen(id)
    this.#add(id, 3, { kind: 'group', column: 'cuts', cuts, isOpen }, lineId(line))
    const bar = this.#addSteel(cuts[0], id)
    this.#row++
    if (!isOpen) return
    this.#addSome(cuts, 'cuts', id, (cut) => {
      const pieceId = `piece ${cut.barId} ${cut.cutId}`
      this.#link(this.#add(pieceId, 4, { kind: 'piece', column: 'cuts', cut }, id), bar)
      this.#row++
    })
  }

  /** Add the bar of a cut, its heat and its certificate. */
  #addSteel(cut: TracedCut, from: string): string {
    const { barId, heatNumber, millCertificationId } = cut
    const cuts = this.#groupOnBar.get(barId)!
    const bar = this.#add(`bar ${barId}`, 5, { kind: 'bar', column: 'bars', cuts }, from)
    const heat = this.#add(`heat ${heatNumber ?? ''}`, 6, { kind: 'heat', column: 'heats', heatNumber }, bar)
    if (millCertificationId !== null)
      this.#add(
        `certificate ${millCertificationId}`,
        7,
        { kind: 'certificate', column: 'certificates', cut },
        heat,
      )
    return bar
  }

  /** Give each node of a column the first free row from the middle of those that lead to it. */
  #placeBesideOrigins(column: Column): void {
    const middle = ({ from }: Drawn) =>
      from.reduce((sum, id) => sum + this.nodes.get(id)!.row, 0) / from.length
    const nodes = [...this.nodes.values()]
      .filter((node) => node.column === column)
      .map((node) => ({ node, wanted: Math.floor(middle(node)) }))
      .toSorted((one, other) => one.wanted - other.wanted)
    let free = 0
    for (const { node, wanted } of nodes) {
      node.row = Math.max(free, wanted)
      free = node.row + 1
    }
  }
}

/** Return the nodes of a column, from top to bottom. */
export function nodesIn({ nodes }: TraceGraph, column: Column): readonly TraceNode[] {
  return [...nodes.values()]
    .filter((node) => node.column === column)
    .toSorted((one, other) => one.row - other.row)
}

/** Return a node with everything that leads to it, and everything that it leads to. */
export function pathThrough({ nodes }: TraceGraph, id: string): ReadonlySet<string> {
  const follow = (way: 'from' | 'to') => {
    const visited = new Set([id])
    // A loop over a set also visits the values that are added meanwhile.
    for (const one of visited) for (const next of nodes.get(one)?.[way] ?? []) visited.add(next)
    return visited
  }
  return new Set([...follow('from'), ...follow('to')])
}
