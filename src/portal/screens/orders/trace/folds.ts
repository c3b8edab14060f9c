import { useState } from 'react'
import { type Folds, openAtFirst, portion, type TracedLine } from './graph.ts'

export interface TurnableFolds extends Folds {
  /** Open what is closed, and close what is open. */
  turn(id: string): void
  showMore(parent: string): void
}

/** Keep which parts of a trace are drawn. The diagram and the list share it. */
export function useFolds(lines: readonly TracedLine[]): TurnableFolds {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const [portions, setPortions] = useState<ReadonlyMap<string, number>>(new Map())
  // The parts that are open at first stay open, however many cuts others plan meanwhile.
  const [first] = useState(() => openAtFirst(lines))
  const portionsOf = (parent: string) => portions.get(parent) ?? 1
  return {
    isOpen: (id) => first.has(id) !== turned.has(id),
    countShown: (parent) => portion * portionsOf(parent),
    turn: (id) =>
      setTurned(new Set(turned.has(id) ? [...turned].filter((one) => one !== id) : [...turned, id])),
    showMore: (parent) => setPortions(new Map([...portions, [parent, portionsOf(parent) + 1]])),
  }
}
