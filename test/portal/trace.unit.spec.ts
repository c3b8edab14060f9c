import { describe, expect, it } from 'vitest'
import {
  type Folds,
  groupId,
  groupsOf,
  isWanted,
  lineId,
  nodesIn,
  openAtFirst,
  pathThrough,
  portion,
  type TracedCut,
  type TracedLine,
  type TraceGraph,
  traceGraph,
} from '../../src/portal/screens/orders/trace/graph.ts'

const cut = (cutId: string, barId: string, heat: string | null = 'H1'): TracedCut => ({
  cutId,
  barId,
  pieceMark: null,
  planId: 'plan',
  planName: 'Week 17',
  barOrdinal: 1,
  held: false,
  markTransferred: false,
  cutOrdinal: 1,
  barStatus: 'Draft',
  lengthMm: 1_000,
  millCertificationId: heat && `certificate of ${heat}`,
  certificateNumber: heat && `C-${heat}`,
  heatNumber: heat,
  tags: [],
  findings: [],
})
const pieces = { required: 1, planned: 1, cut: 0, scrapped: 0, dispatched: 0, tooShort: 0 }
const line = (lineNumber: number, ...cuts: TracedCut[]): TracedLine => ({
  lineItemId: String(lineNumber),
  lineNumber,
  cancelled: false,
  status: 'Open',
  pieces,
  cuts,
  missing: [],
})
const all: Folds = { isOpen: () => true, countShown: () => Number.POSITIVE_INFINITY }
const atFirst = (lines: readonly TracedLine[]): Folds => {
  const open = openAtFirst(lines)
  return { isOpen: (id) => open.has(id), countShown: () => portion }
}
const columnsOf = (graph: TraceGraph) =>
  (['order', 'lines', 'cuts', 'bars', 'heats', 'certificates'] as const).map((column) =>
    nodesIn(graph, column).map(({ id }) => id),
  )
const edges = ({ nodes }: TraceGraph) =>
  [...nodes.values()].flatMap(({ id, to }) => to.map((one) => [id, one]))

describe('the trace as a graph', () => {
  it('has each bar, heat and certificate once, however many cuts lead to it', () => {
    const graph = traceGraph([line(10, cut('a', 'b1')), line(20, cut('b', 'b1'), cut('c', 'b2'))], all)
    expect(columnsOf(graph)).toEqual([
      ['order'],
      ['line 10', 'line 20'],
      ['cuts 10 b1', 'cuts 20 b1', 'cuts 20 b2'],
      ['bar b1', 'bar b2'],
      ['heat H1'],
      ['certificate certificate of H1'],
    ])
    expect(graph.nodes.get('bar b1')!.from).toEqual(['cuts 10 b1', 'cuts 20 b1'])
    expect(graph.nodes.get('heat H1')!.from).toEqual(['bar b1', 'bar b2'])
    expect(edges(graph)).toHaveLength(2 + 3 + 3 + 2 + 1)
  })

  it('leads bars without a heat to one node that says so, and from there to no certificate', () => {
    const graph = traceGraph([line(10, cut('a', 'b1', null), cut('b', 'b2', null))], all)
    expect(nodesIn(graph, 'heats')).toMatchObject([{ heatNumber: null, from: ['bar b1', 'bar b2'], to: [] }])
    expect(nodesIn(graph, 'certificates')).toEqual([])
  })

  it('shows the pieces of a group when it is open, below it, and each leads to the bar', () => {
    const only = line(10, cut('a', 'b1'), cut('b', 'b1'))
    const closed = traceGraph([only], { ...all, isOpen: (id) => id === lineId(only) })
    expect(nodesIn(closed, 'cuts')).toMatchObject([{ kind: 'group', isOpen: false, to: ['bar b1'] }])
    const open = traceGraph([only], all)
    expect(nodesIn(open, 'cuts').map(({ kind, row }) => [kind, row])).toEqual([
      ['group', 0],
      ['piece', 1],
      ['piece', 2],
    ])
    expect(open.nodes.get('bar b1')!.from).toEqual(['cuts 10 b1', 'piece b1 a', 'piece b1 b'])
  })

  it('has no two nodes in one place', () => {
    const lines = Array.from({ length: 12 }, (_, n) =>
      line(n, cut(`${n} a`, `b${n % 5}`, `H${n % 3}`), cut(`${n} b`, `c${n}`, null)),
    )
    const graph = traceGraph(lines, all)
    const places = [...graph.nodes.values()].map(({ column, row }) => `${column} ${row}`)
    expect(new Set(places).size).toBe(places.length)
    expect(Math.max(...[...graph.nodes.values()].map(({ row }) => row))).toBe(graph.rows - 1)
  })

  it('draws few of 500 lines with 5,000 cuts at first, and counts the others', () => {
    const lines = Array.from({ length: 500 }, (_, n) =>
      line(n, ...Array.from({ length: 10 }, (_, m) => cut(`${n} ${m}`, `bar ${n} ${m}`, `H${m}`))),
    )
    const graph = traceGraph(lines, atFirst(lines))
    expect(graph.nodes.size).toBeLessThan(150)
    expect(nodesIn(graph, 'lines').filter((node) => node.kind === 'line' && node.isOpen)).toHaveLength(4)
    expect(nodesIn(graph, 'lines').at(-1)).toMatchObject({ kind: 'more', parent: 'order', count: 475 })
  })

  it('keeps a single line with very many cuts closed, and draws a portion of it when it is opened', () => {
    const only = line(10, ...Array.from({ length: 5_000 }, (_, n) => cut(String(n), `b${n >> 2}`)))
    expect(openAtFirst([only]).size).toBe(0)
    const graph = traceGraph([only], { isOpen: (id) => id === lineId(only), countShown: () => portion })
    expect(nodesIn(graph, 'cuts')).toHaveLength(portion + 1)
    expect(nodesIn(graph, 'cuts').at(-1)).toMatchObject({ kind: 'more', count: 1_250 - portion })
    expect(nodesIn(graph, 'bars')).toHaveLength(portion)
  })

  it('finds everything on the way through a node', () => {
    const lines = [line(10, cut('a', 'b1')), line(20, cut('b', 'b2', 'H2'))]
    expect(pathThrough(traceGraph(lines, all), groupId(lines[1]!, groupsOf(lines[1]!)[0]!))).toEqual(
      new Set(['cuts 20 b2', 'line 20', 'order', 'bar b2', 'heat H2', 'certificate certificate of H2']),
    )
  })
})

describe('the filter of lines', () => {
  const marked = line(10, { ...cut('1', 'A'), pieceMark: 'В-17/2' })

  it('finds a line by its number, or by the beginning of a piece mark however it is spelled', () => {
    for (const text of ['10', 'b-17', 'В-17/2', 'ｂ-1']) expect(isWanted(marked, text)).toBe(true)
    for (const text of ['1', '17', 'B-18']) expect(isWanted(marked, text)).toBe(false)
  })

  it('finds no line by a piece without a mark', () => {
    expect(isWanted(line(20, cut('2', 'A')), 'B')).toBe(false)
  })
})
