import type { Json } from './jsonSchemas.ts'

/** Equal parts of the OpenAPI document become one component, to which the operations refer. */

/** A part with the name that it would have as a component. */
export type Named<Part extends Json = Json> = readonly [name: string, part: Part]

interface SharedParts {
  readonly components: Readonly<Record<string, Json>>
  /** Return a reference to the component, or the part itself if no operation shares it. */
  refer(named: Named): Json
}

/**
 * The part that most operations share has the first word of its name alone: `429` for `429.rate-limit-exceeded`. If
 * different parts that occur several times have the same name, the later ones get a number.
 */
export function share(section: 'parameters' | 'responses', parts: readonly Named[]): SharedParts {
  const components: Record<string, Json> = {}
  const names = new Map<string, string>()
  const groups = [...groupedByPart(parts)].filter(([, { length }]) => length > 1)
  for (const [key, [[name, part]]] of groups.toSorted(([, a], [, b]) => b.length - a.length)) {
    const short = name.split('.')[0]!
    let free = short in components ? name : short
    for (let number = 2; free in components; number += 1) free = `${name}.${number}`
    components[free] = part
    names.set(key, free)
  }
  return {
    components,
    refer: ([, part]) => {
      const name = names.get(keyOf(part))
      return name ? { $ref: `#/components/${section}/${name}` } : part
    },
  }
}

function groupedByPart(parts: readonly Named[]) {
  return Map.groupBy(parts, ([, part]) => keyOf(part)) as Map<string, [Named, ...Named[]]>
}

function keyOf(part: Json): string {
  return JSON.stringify(part)
}
