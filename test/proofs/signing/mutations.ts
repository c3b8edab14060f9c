import fc from 'fast-check'
import { id } from '../../support/given.ts'

/** Ways to change the lines of a history. Each takes the lines and three numbers from 0 to 1, which say where and what. */

export type Mutate = (lines: readonly string[], at: readonly [number, number, number]) => readonly string[]

interface Line {
  stream: string
  revision: number
  id: string
  type: string
  metadata: unknown
  data: unknown
}

const indexIn = (list: readonly unknown[], at: number): number => Math.floor(at * list.length)
const pick = <Item>(list: readonly Item[], at: number): Item => list[indexIn(list, at)]!

export const mutations: Readonly<Record<string, Mutate>> = {
  field: edited((line, [, where, what]) => withValue(line, where, what) as Line),
  redacted: edited((line) => ({ ...line, data: {} })),
  'redacted metadata': edited((line) => ({ ...line, metadata: null })),
  'other data that are not JSON': edited((line) => ({ ...line, data: { $bytes: 'AP8=' } })),
  'unknown type': edited((line, [, what]) => ({ ...line, type: `Unknown${Math.floor(what * 1_000)}` })),
  'other company': edited((line) => ({
    ...line,
    stream: line.stream.replace(/-[0-9a-f-]{36}/, `-${id(9)}`),
  })),
  'other stream': edited((line) => ({ ...line, stream: `${line.stream}0` })),
  'other revision': edited((line, [, what]) => ({
    ...line,
    revision: line.revision + 1 + Math.floor(what * 9),
  })),
  dropped: (lines, [at]) => lines.toSpliced(indexIn(lines, at), 1),
  'dropped, and the stream renumbered': (lines, [at]) => renumbered(lines.toSpliced(indexIn(lines, at), 1)),
  doubled: (lines, [at, to]) => lines.toSpliced(indexIn(lines, to), 0, pick(lines, at)),
  'doubled, and the stream renumbered': (lines, [at, to]) =>
    renumbered(lines.toSpliced(indexIn(lines, to), 0, pick(lines, at))),
  inserted: (lines, [at]) => {
    const index = indexIn(lines, at)
    const event = { ...parsed(lines[index]!), id: id(7), data: { heatNumber: 'H 7' } }
    return renumbered(lines.toSpliced(index, 0, JSON.stringify(event)))
  },
  swapped: (lines, [from, to]) => swapped(lines, indexIn(lines, from), indexIn(lines, to)),
  'swapped within a stream': (lines, [at, to]) => {
    const from = indexIn(lines, at)
    const { stream } = parsed(lines[from]!)
    const ofStream = lines.flatMap((line, index) => (parsed(line).stream === stream ? [index] : []))
    return renumbered(swapped(lines, from, pick(ofStream, to)))
  },
  'without its last line': (lines) => lines.slice(0, -1),
  'without its end': (lines, [at]) => lines.slice(0, indexIn(lines, at)),
  'without anything': () => [],
  'without its beginning': (lines, [at]) => lines.slice(1 + indexIn(lines.slice(1), at)),
  'without a stream': (lines, [at]) => {
    const { stream } = parsed(pick(lines, at))
    return lines.filter((line) => parsed(line).stream !== stream)
  },
  // An event store does so to a stream with `$tb` or `$maxCount`.
  'without the first events of a stream': (lines, [at]) => {
    const { stream, revision } = parsed(pick(lines, at))
    return lines.filter((line) => {
      const one = parsed(line)
      return one.stream !== stream || one.revision > revision
    })
  },
}

/** Numbers that choose a mutation, its place and its value. */
export const chosen = fc.record({
  mutation: fc.constantFrom(...Object.keys(mutations)),
  at: fc.tuple(...([unit(), unit(), unit()] as const)),
})

function unit() {
  return fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
}

function edited(edit: (line: Line, at: readonly [number, number, number]) => Line): Mutate {
  return (lines, at) => {
    const index = indexIn(lines, at[0])
    return lines.with(index, JSON.stringify(edit(parsed(lines[index]!), at)))
  }
}

function parsed(line: string): Line {
  return JSON.parse(line)
}

/** Give the events of each stream their revisions anew, so that no hole tells. */
function renumbered(lines: readonly string[]): string[] {
  const next = new Map<string, number>()
  return lines.map((line) => {
    const event = parsed(line)
    const revision = next.get(event.stream) ?? 0
    next.set(event.stream, revision + 1)
    return JSON.stringify({ ...event, revision })
  })
}

function swapped(lines: readonly string[], first: number, second: number): string[] {
  return lines.with(first, lines[second]!).with(second, lines[first]!)
}

/** Change one value somewhere inside. */
function withValue(value: unknown, where: number, what: number): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return otherThan(value, what)
  const names = Object.keys(value)
  const place = where * names.length
  const name = names[Math.floor(place)]!
  const within = withValue((value as Record<string, unknown>)[name], place % 1, what)
  return Array.isArray(value) ? value.with(Number(name), within) : { ...value, [name]: within }
}

function otherThan(value: unknown, what: number): unknown {
  if (typeof value === 'string') return what < 0.5 ? `${value} ` : value.slice(0, -1) || 'x'
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : what
}
