import { expect, it } from 'vitest'
import { describedPaths, document, resolve } from '../../../support/operations.ts'

/* The document stays small, and generators make one type of each list of values. */

type Json = Record<string, unknown>

const operations = Object.values(describedPaths as Record<string, Record<string, Json>>).flatMap((methods) =>
  Object.values(methods),
)

/** Every object of the document with its place, such as `/components/schemas/Tag`. */
function* parts(part: unknown, at = ''): Iterable<[at: string, part: Json]> {
  if (typeof part !== 'object' || part === null) return
  if (!Array.isArray(part)) yield [at, part as Json]
  for (const [name, member] of Object.entries(part)) yield* parts(member, `${at}/${name}`)
}

/** Count equal values, by their JSON. */
const repeated = (values: readonly unknown[]): string[] =>
  [...Map.groupBy(values, (value) => JSON.stringify(value))]
    .filter(([, equal]) => equal.length > 1)
    .map(([json]) => json)

it('has at most 398 KB', () => {
  expect(JSON.stringify(document).length).toBeLessThan(398_000)
  expect(operations.length).toBeGreaterThan(150)
})

it('has an object for every reference, and a reference for every component', () => {
  const references = new Set(
    [...parts(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])),
  )
  const components = Object.entries(document.components as Record<string, Json>)
    .filter(([section]) => section !== 'securitySchemes')
    .flatMap(([section, named]) => Object.keys(named).map((name) => `#/components/${section}/${name}`))
  const missing = [...references].filter((one) => !components.includes(one))
  expect(missing).toEqual([])
  expect(components.filter((one) => !references.has(one))).toEqual([])
})

const all = [...parts(document)]

it('gives every list of values one name, but for the codes of problems', () => {
  const lists = all.filter(
    ([at, part]) =>
      Array.isArray(part.enum) && part.enum.length > 1 && !/\/properties\/code(\/anyOf\/\d)?$/.test(at),
  )
  expect(lists.length).toBeGreaterThan(40)
  expect(lists.map(([at]) => at).filter((at) => !/^\/components\/schemas\/\w+$/.test(at))).toEqual([])
  expect(all.filter(([, part]) => Array.isArray(part.enum) && part.type !== 'string')).toEqual([])
  expect(repeated(lists.map(([, part]) => (part.enum as unknown[]).toSorted()))).toEqual([])
})

it('has a schema for every content, so that no answer is of unknown type', () => {
  const contents = all
    .filter(([at]) => /\/(requestBody|responses\/[^/]+)\/content$/.test(at))
    .flatMap(([, part]) => Object.entries(part))
  expect(contents.length).toBeGreaterThan(300)
  const schemaOf = (content: unknown) => (content as { schema?: Json }).schema ?? {}
  expect(contents.filter(([, content]) => Object.keys(schemaOf(content)).length === 0)).toEqual([])
  const lines = contents.filter(([type]) => type === 'application/x-ndjson')
  expect(lines.map(([, content]) => schemaOf(content).type)).toEqual(lines.map(() => 'string'))
})

it('requires no member because it has a default', () => {
  expect(all.filter(([at, part]) => 'default' in part && !/\/(properties|responses)$/.test(at))).toEqual([])
})

it('lets answers have more members', () => {
  const followed = new Set<string>()
  const closed = (part: unknown): string[] =>
    [...parts(part)].flatMap(([at, { $ref, additionalProperties, unevaluatedProperties }]) => {
      if (additionalProperties === false || unevaluatedProperties === false) return [at]
      if (typeof $ref !== 'string' || followed.has($ref)) return []
      followed.add($ref)
      return closed(resolve($ref)).map((place) => $ref + place)
    })
  expect(operations.flatMap(({ responses }) => closed(responses))).toEqual([])
  expect(followed.size).toBeGreaterThan(100)
})

it('has no parameter and no answer twice', () => {
  const inline = (part: Json) => !('$ref' in part)
  const parameters = operations.flatMap((one) => one.parameters as Json[]).filter(inline)
  const answers = operations.flatMap((one) => Object.values(one.responses as Record<string, Json>))
  expect(parameters.length).toBeGreaterThan(10)
  expect(repeated(parameters)).toEqual([])
  expect(repeated(answers.filter(inline))).toEqual([])
})

it('says of every operation how it refuses a request', () => {
  for (const { operationId, responses } of operations) {
    const statuses = Object.keys(responses as Json)
    expect(
      statuses.filter((status) => status.startsWith('4')),
      String(operationId),
    ).not.toEqual([])
    expect(statuses).toContain('default')
  }
})
