import type { TableValues } from './rulePack.ts'

/** How large a value may be: the basis of the cost of an expression. */
export interface Extent {
  /** The most characters of a text, or the most elements of a list or map. */
  readonly size: number
  /** The extent of the elements of a list or map. */
  readonly of?: Extent
}

/** A number, a flag, or any other value that takes one step. */
export const one: Extent = { size: 1 }

/** A step goes through this many characters. */
const charactersInStep = 32

/** Return the number of steps that it takes to go through the whole value. */
export function stepsThrough({ size, of }: Extent): number {
  return of ? size * (1 + stepsThrough(of)) : Math.ceil(size / charactersInStep)
}

/** Return the extent of a value that is one of two. */
export function unionOf(a: Extent, b: Extent): Extent {
  const of = a.of && b.of ? unionOf(a.of, b.of) : (a.of ?? b.of)
  return { size: Math.max(a.size, b.size), ...(of && { of }) }
}

/** Return the extent of two texts or lists, one after the other. */
export function joinExtents(a: Extent, b: Extent): Extent {
  return { ...unionOf(a, b), size: a.size + b.size }
}

export function listOf(size: number, of: Extent = one): Extent {
  return { size, of }
}

export function extentOfTable(values: TableValues): Extent {
  return extentOf(values)
}

function extentOf(value: unknown): Extent {
  if (typeof value === 'string') return { size: value.length }
  if (typeof value !== 'object' || value === null) return one
  const elements = Object.values(value).map(extentOf)
  return listOf(elements.length, elements.reduce(unionOf, one))
}
