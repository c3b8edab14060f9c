import { createHeap, type Placed } from './heap.ts'

/** Share time: of the holders that wait, the one that has used the least goes first. This changes nothing but its own state. */
interface Turns<Work> {
  /** Return false when too much work of the holder is waiting already. */
  add(holder: string, work: Work): boolean
  /** Let work that has begun go on before the other work of its holder. */
  resume(holder: string, work: Work): void
  /** Take the next work of the holder whose turn it is. */
  next(): { readonly holder: string; readonly work: Work } | undefined
  /** Add the time that work has taken to the time that its holder has used. */
  charge(holder: string, ms: number): void
  /** Take all work of a holder, or of every holder. */
  takeAll(holder?: string): readonly Work[]
}

interface Holder<Work> extends Placed {
  readonly holder: string
  readonly waiting: Work[]
  /** In milliseconds. */
  used: number
  /** Turn of the last service. If two holders have used the same time, the one served longer ago goes first. */
  served: number
}

function goesBefore(one: Holder<unknown>, other: Holder<unknown>): boolean {
  return (one.used - other.used || one.served - other.served) < 0
}

/** @param most the most work of one holder that waits at a time; by default it has no bound */
export function createTurns<Work>(most = Number.POSITIVE_INFINITY): Turns<Work> {
  const holders = new Map<string, Holder<Work>>()
  const order = createHeap<Holder<Work>>(goesBefore)
  /** The time that the holder served last had used. A holder that comes later starts here, so it is owed nothing. */
  let level = 0
  let turn = 0

  const holderOf = (holder: string): Holder<Work> => {
    const own = holders.get(holder)
    if (own) return own
    turn += 1
    const added = { holder, waiting: [], used: level, served: turn, place: 0 }
    holders.set(holder, added)
    order.add(added)
    return added
  }
  const raise = (own: Holder<Work>, used: number): void => {
    own.used = used
    order.sink(own)
  }

  /** Return the holder with more work to come. A holder that had none is owed nothing for the time before. */
  const waitingHolder = (holder: string): Holder<Work> => {
    const own = holderOf(holder)
    if (own.waiting.length === 0) raise(own, Math.max(own.used, level))
    return own
  }

  return {
    add(holder, work) {
      if ((holders.get(holder)?.waiting.length ?? 0) >= most) return false
      waitingHolder(holder).waiting.push(work)
      return true
    },
    resume(holder, work) {
      waitingHolder(holder).waiting.unshift(work)
    },
    next() {
      for (let first = order.first(); first; first = order.first()) {
        level = Math.max(level, first.used)
        const [work] = first.waiting.splice(0, 1)
        if (work !== undefined) {
          turn += 1
          first.served = turn
          order.sink(first)
          return { holder: first.holder, work }
        }
        // It has used no more time than a new holder starts with, so nothing is lost if it is forgotten.
        order.removeFirst()
        holders.delete(first.holder)
      }
      return undefined
    },
    charge(holder, ms) {
      const own = holders.get(holder)
      if (own) raise(own, own.used + ms)
    },
    takeAll(holder) {
      const taken = holder === undefined ? [...holders.values()] : [holders.get(holder)]
      return taken.flatMap((own) => own?.waiting.splice(0) ?? [])
    },
  }
}
