/** A binary heap: the item that goes before all others is found at once, and a change takes the logarithm of their number. */
interface Heap<Item> {
  first(): Item | undefined
  add(item: Item): void
  /** Put an item in its place that goes later than before. */
  sink(item: Item): void
  removeFirst(): void
}

export interface Placed {
  /** The heap keeps its place here. */
  place: number
}

export function createHeap<Item extends Placed>(goesBefore: (one: Item, other: Item) => boolean): Heap<Item> {
  const items: Item[] = []

  const put = (item: Item, place: number): void => {
    items[place] = item
    item.place = place
  }
  const rise = (item: Item): void => {
    while (item.place > 0) {
      const { place } = item
      const above = items[(place - 1) >> 1]!
      if (!goesBefore(item, above)) return
      put(item, above.place)
      put(above, place)
    }
  }
  const sink = (item: Item): void => {
    for (;;) {
      const { place } = item
      const [left, right] = [items[2 * place + 1], items[2 * place + 2]]
      const below = right && goesBefore(right, left!) ? right : left
      if (!below || !goesBefore(below, item)) return
      put(item, below.place)
      put(below, place)
    }
  }

  return {
    first: () => items[0],
    add(item) {
      put(item, items.length)
      rise(item)
    },
    sink,
    removeFirst() {
      const last = items.pop()
      if (!last || items.length === 0) return
      put(last, 0)
      sink(last)
    },
  }
}
