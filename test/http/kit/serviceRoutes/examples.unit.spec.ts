import { expect, it } from 'vitest'
import { z } from 'zod'
import { document } from '../../../support/operations.ts'

/* The examples stand at the schemas, so a change of a schema must change its example. */

const examples = Object.entries<{ readonly examples?: readonly object[] }>(
  document.components.schemas,
).flatMap(([name, { examples = [] }]) => examples.map((example) => ({ name, example })))

it('has examples of bodies, and of parts that explain an answer', () => {
  expect(examples.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['TagContent', 'CertificateRegistration', 'Finding', 'Fault']),
  )
})

it.each(examples)('the example of $name is valid', ({ name, example }) => {
  const { _idmap: schemas } = z.globalRegistry
  expect((schemas.get(name) as z.ZodType).safeParse(example).error).toBeUndefined()
})

it.each(examples)('the example of $name has no member that the schema does not name', ({ name, example }) => {
  expect(Object.keys(example).filter((member) => !membersOf(name).includes(member))).toEqual([])
})

function membersOf(name: string): string[] {
  const { properties = {}, allOf = [] } = document.components.schemas[name]
  const bases = allOf.flatMap(({ $ref }: { $ref: string }) => membersOf($ref.split('/').at(-1)!))
  return [...Object.keys(properties), ...bases]
}

it('names no port of a machine', () => expect(JSON.stringify(document)).not.toMatch(/127\.0\.0\.1|localhost/))
