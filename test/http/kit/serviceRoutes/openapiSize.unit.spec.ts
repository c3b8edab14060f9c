import { expect, it } from 'vitest'
import { describedPaths, document } from '../../../support/operations.ts'

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

it('gives every list of values that it needs twice a name', () => {
  const lists = [...parts(document)].flatMap(([at, part]) =>
    Array.isArray(part.enum) && !/\/properties\/code$/.test(at) ? [(part.enum as unknown[]).toSorted()] : [],
  )
  expect(lists.length).toBeGreaterThan(25)
  expect(repeated(lists)).toEqual([])
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
