import type { Json } from './jsonSchemas.ts'

/** Equal parts of the OpenAPI document become one component, to which the operations refer. */

/** A part with the name that it would have as a component. */
export type Named<Part extends Json = Json> = readonly [name: string, part: Part]

export interface SharedParts {
  readonly components: Readonly<Record<string, Json>>
  /** Return a reference to the component, or the part itself if no operation shares it. */
  refer(named: Named): Json
}

/** If different parts that occur several times have the same name, the first of them is the component. */
export function share(section: 'parameters' | 'responses', parts: readonly Named[]): SharedParts {
  const components: Record<string, Json> = {}
  for (const [[name, part], ...others] of Map.groupBy(parts, keyOf).values() as Iterable<[Named, ...Named[]]>)
    if (others.length > 0) components[name] ??= part
  const shared = new Set(Object.entries(components).map(keyOf))
  return {
    components,
    refer: (named) => (shared.has(keyOf(named)) ? { $ref: `#/components/${section}/${named[0]}` } : named[1]),
  }
}

function keyOf(named: Named): string {
  return JSON.stringify(named)
}
