import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { breaksOf, type Interface, interfaceFile, interfaceOf, type Schema } from './golden/interface.ts'
import { document } from './support/operations.ts'

/* See golden/README.md for what to do when one of the first two fails. */

const promised: Interface = JSON.parse(readFileSync(interfaceFile, 'utf8'))
const present = interfaceOf(document)

it('keeps every promise of the interface', () => expect(breaksOf(promised, present)).toEqual([]))

it('has the golden interface, with its additions', () =>
  expect(JSON.parse(JSON.stringify(present)), 'run npm run golden').toStrictEqual(promised))

const text: Schema = { type: 'string' }
const problem = (code: string): Schema => ({
  allOf: [{ $ref: '#/components/schemas/Problem' }],
  type: 'object',
  properties: { code: { const: code } },
  required: ['code'],
})

/** A document with one operation, whose record is sent and answered. */
function documentOf() {
  const record: Schema = {
    type: 'object',
    title: 'A record',
    properties: {
      name: { ...text, maxLength: 100 },
      title: { ...text, description: 'A member that has the name of a text.' },
      size: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      status: { type: 'string', enum: ['Open', 'Closed'] },
      parts: { type: 'array', items: { type: ['string', 'null'] } },
    },
    required: ['name'],
    additionalProperties: false,
  }
  const $ref = '#/components/schemas/'
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `${$ref}${name}` } } })
  return {
    paths: {
      '/records/{id}': {
        put: {
          operationId: 'putRecord',
          security: [{ bearer: [] }, { apiKey: [] }],
          parameters: [
            { name: 'id', in: 'path', required: true, schema: text },
            { name: 'mode', in: 'query', required: false, schema: { ...text, enum: ['a', 'b'] } },
          ],
          requestBody: { content: content('Sent') },
          responses: {
            200: { headers: { ETag: {} }, content: content('Answered') },
            409: {
              content: {
                'application/problem+json': {
                  schema: { oneOf: [{ $ref: `${$ref}x` }, { $ref: `${$ref}y` }] },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Sent: structuredClone(record),
        Answered: structuredClone(record),
        Problem: { type: 'object', properties: { detail: text }, required: ['detail'] },
        x: problem('x'),
        y: problem('y'),
      },
    },
    // biome-ignore lint/suspicious/noExplicitAny: the specs change any part of it.
  } as any
}
type Changed = ReturnType<typeof documentOf>

function breaksAfter(change: (changed: Changed) => void): string[] {
  const changed = documentOf()
  change(changed)
  return breaksOf(interfaceOf(documentOf()), interfaceOf(changed))
}
const operationIn = ({ paths }: Changed) => paths['/records/{id}'].put
const sentIn = ({ components }: Changed) => components.schemas.Sent
const answeredIn = ({ components }: Changed) => components.schemas.Answered

describe('a break is found:', () => {
  it.each<[string, string, (changed: Changed) => void]>([
    ['an operation is removed', 'putRecord is gone', ({ paths }) => delete paths['/records/{id}'].put],
    [
      'an operation has another name',
      'putRecord is gone',
      (changed) => {
        operationIn(changed).operationId = 'saveRecord'
      },
    ],
    [
      'an operation has another path',
      'putRecord has moved from PUT /records/{id} to PUT /record/{id}',
      ({ paths }) => {
        paths['/record/{id}'] = paths['/records/{id}']
        delete paths['/records/{id}']
      },
    ],
    [
      'a kind of credentials is refused',
      'putRecord no longer accepts apiKey',
      (changed) => operationIn(changed).security.pop(),
    ],
    [
      'a parameter is removed',
      'putRecord: query mode is gone',
      (changed) => operationIn(changed).parameters.pop(),
    ],
    [
      'a parameter becomes required',
      'putRecord: query mode is now required',
      (changed) => {
        operationIn(changed).parameters[1].required = true
      },
    ],
    [
      'a required parameter is added',
      'putRecord: header Reason is now required',
      (changed) =>
        operationIn(changed).parameters.push({ name: 'Reason', in: 'header', required: true, schema: text }),
    ],
    [
      'a value of a parameter is refused',
      'putRecord: query mode is no longer b',
      (changed) => operationIn(changed).parameters[1].schema.enum.pop(),
    ],
    [
      'a media type is refused',
      'putRecord no longer takes application/json',
      (changed) => {
        const { content } = operationIn(changed).requestBody
        content['application/merge-patch+json'] = content['application/json']
        delete content['application/json']
      },
    ],
    [
      'a sent member is removed',
      'putRecord: body.title is gone',
      (changed) => delete sentIn(changed).properties.title,
    ],
    [
      'a sent member becomes required',
      'putRecord: body.title is now required',
      (changed) => sentIn(changed).required.push('title'),
    ],
    [
      'a required member is added',
      'putRecord: body.reason is now required',
      (changed) => {
        sentIn(changed).properties.reason = text
        sentIn(changed).required.push('reason')
      },
    ],
    [
      'a sent member has another type',
      'putRecord: body.name can no longer be string',
      (changed) => {
        sentIn(changed).properties.name = { type: 'number' }
      },
    ],
    [
      'a sent member may no longer be null',
      'putRecord: body.size can no longer be null',
      (changed) => sentIn(changed).properties.size.anyOf.pop(),
    ],
    [
      'a bound is narrowed',
      'putRecord: body.name: maxLength is narrower',
      (changed) => {
        sentIn(changed).properties.name.maxLength = 99
      },
    ],
    [
      'a bound is added',
      'putRecord: body.name: minLength is narrower',
      (changed) => {
        sentIn(changed).properties.name.minLength = 1
      },
    ],
    [
      'the items of a sent array have another type',
      'putRecord: body.parts[] can no longer be null',
      (changed) => {
        sentIn(changed).properties.parts.items = text
      },
    ],
    [
      'an answered member is removed',
      'putRecord: 200.title is gone',
      (changed) => delete answeredIn(changed).properties.title,
    ],
    [
      'an answered member may be absent',
      'putRecord: 200.name may now be absent',
      (changed) => answeredIn(changed).required.pop(),
    ],
    [
      'an answered member has another type',
      'putRecord: 200.size can no longer be integer',
      (changed) => {
        answeredIn(changed).properties.size.anyOf[0].type = 'number'
      },
    ],
    [
      'an answered member may be null',
      'putRecord: 200.name can now be null',
      (changed) => {
        answeredIn(changed).properties.name = { type: ['string', 'null'] }
      },
    ],
    [
      'an answered value is removed',
      'putRecord: 200.status is no longer Closed',
      (changed) => answeredIn(changed).properties.status.enum.pop(),
    ],
    [
      'a header is removed',
      'putRecord: 200 has no ETag any more',
      (changed) => delete operationIn(changed).responses[200].headers.ETag,
    ],
    [
      'a status is removed',
      'putRecord no longer answers 200',
      (changed) => delete operationIn(changed).responses[200],
    ],
    [
      'a problem code is removed',
      'putRecord no longer answers 409 y',
      (changed) => operationIn(changed).responses[409].content['application/problem+json'].schema.oneOf.pop(),
    ],
    [
      'a member of every problem is removed',
      'problem x.detail is gone',
      ({ components }) => delete components.schemas.Problem.properties.detail,
    ],
  ])('%s', (_what, expected, change) => expect(breaksAfter(change)).toContain(expected))
})

describe('no break is found:', () => {
  it.each<[string, (changed: Changed) => void]>([
    ['nothing has changed', () => {}],
    [
      'an operation is added',
      (changed) => {
        changed.paths['/records'] = { get: { ...operationIn(changed), operationId: 'listRecords' } }
      },
    ],
    [
      'an optional parameter is added',
      (changed) =>
        operationIn(changed).parameters.push({ name: 'limit', in: 'query', required: false, schema: text }),
    ],
    [
      'an optional member is added',
      (changed) => {
        sentIn(changed).properties.reason = text
        answeredIn(changed).properties.reason = text
      },
    ],
    [
      'a sent member may be null, and needs not be sent',
      (changed) => {
        sentIn(changed).properties.name = { anyOf: [{ ...text, maxLength: 100 }, { type: 'null' }] }
        sentIn(changed).required = []
      },
    ],
    [
      'bounds and lists of values are widened',
      (changed) => {
        sentIn(changed).properties.name.maxLength = 200
        delete sentIn(changed).properties.size.anyOf[0].minimum
        for (const part of [sentIn(changed), answeredIn(changed)]) part.properties.status.enum.push('Late')
      },
    ],
    ['an answered member is always there now', (changed) => answeredIn(changed).required.push('title')],
    [
      'a status, a header and a problem code are added',
      (changed) => {
        const { responses } = operationIn(changed)
        responses[201] = structuredClone(responses[200])
        responses[200].headers.Location = {}
        changed.components.schemas.z = problem('z')
        responses[409].content['application/problem+json'].schema.oneOf.push({
          $ref: '#/components/schemas/z',
        })
      },
    ],
    [
      'texts have changed',
      (changed) => {
        sentIn(changed).title = 'Another text'
        delete sentIn(changed).properties.title.description
      },
    ],
  ])('%s', (_what, change) => expect(breaksAfter(change)).toEqual([]))
})
