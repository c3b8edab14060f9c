import {
  Map as ImmutableMap,
  OrderedSet as ImmutableOrderedSet,
  Set as ImmutableSet,
  isCollection,
  isList,
  isMap,
  isOrdered,
  isSet,
  List,
} from 'immutable'

/** States and Idempotency-Keys as JSON: plain values, in which the immutable collections are marked by their names. */

/** The member that marks a collection. Its other member, `items`, holds the values of the collection. */
const mark = '$immutable'

interface Kind {
  is(value: unknown): boolean
  from(items: Iterable<never>): unknown
}

const kinds: Readonly<Record<string, Kind>> = {
  List: { is: isList, from: List },
  Map: { is: (value) => isMap(value) && !isOrdered(value), from: ImmutableMap },
  OrderedSet: { is: (value) => isSet(value) && isOrdered(value), from: ImmutableOrderedSet },
  Set: { is: (value) => isSet(value) && !isOrdered(value), from: ImmutableSet },
}

/** @throws TypeError for a collection of another kind, and for an object with the member that marks collections */
export function toContent(value: unknown): string {
  return JSON.stringify(plain(value))
}

/** Return the value that `toContent` has written. @throws SyntaxError, TypeError */
export function fromContent(content: string): unknown {
  return JSON.parse(content, (_, value) => (isMarked(value) ? collectionOf(value) : value))
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  if (isCollection(value)) return { [mark]: nameOf(value), items: [...value].map(plain) }
  if (isMarked(value)) throw new TypeError(`the member ${mark} has a meaning of its own`)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

function nameOf(collection: object): string {
  const found = Object.entries(kinds).find(([, { is }]) => is(collection))
  if (found) return found[0]
  throw new TypeError(`stream snapshots cannot hold ${collection.constructor.name}`)
}

function isMarked(value: unknown): value is { [mark]: string; items: Iterable<never> } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, mark)
}

function collectionOf({ [mark]: name, items }: { [mark]: string; items: Iterable<never> }): unknown {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (!kind) throw new TypeError(`there is no collection ${name}`)
  return kind.from(items)
}
