import {
  bigint,
  integer,
  type Projection,
  type Tables,
  table,
  text,
} from '../../src/projections/engine/projection.ts'
import { metadata } from './samples.ts'

/** Events that cannot be folded, each with a projection of its own that is to stop there. */

interface Oddity {
  projection: Projection
  event: { type: string; data: object; metadata?: object }
  /** The code of the failure. */
  code: string
  message: RegExp
}

/** Id of the row that the odd event puts: no later event puts a good one in its place. */
const odd = 5

type Apply = (rows: Record<string, { put(row: object): void }>, data: never, table: string) => void

/** A projection that keeps the positions of all ItemPut, so that one can see how far it came. */
const oddity = (
  name: string,
  data: object,
  code: string,
  message: RegExp,
  apply: Apply,
  schemaVersion = 1,
): Oddity => {
  const tableName = `${name}Row`
  const event = { type: `Odd${name}`, data, metadata: metadata(undefined, schemaVersion) }
  const row = { id: 1, key: 'a', position: 0 }
  return {
    event,
    code,
    message,
    projection: {
      name,
      version: 1,
      tables: {
        [tableName]: table({ columns: { id: integer, key: text, position: bigint }, key: ['id'] }),
      } as unknown as Tables,
      handlers: {
        ItemPut: {
          touches: () => ({ [tableName]: [[1]] }),
          apply: (rows, { position }) => rows[tableName]!.put({ ...row, position }),
        },
        [event.type]: {
          touches: ({ data }) => ({ [tableName]: [[(data as { id?: number }).id ?? odd]] }),
          apply: (rows, { data }) => apply(rows as never, { ...row, id: odd, ...data } as never, tableName),
        },
      },
    },
  }
}

const putAll: Apply = (rows, data, table) => rows[table]!.put(data)

export const oddities: Oddity[] = [
  oddity('nul', { key: 'nul \0 here' }, '22021', /invalid byte sequence/, putAll),
  oddity('half', { key: 'half \ud800' }, 'unstorable-text', /unpaired surrogate/, putAll),
  oddity('range', { id: 3_000_000_000 }, '22003', /out of range/, putAll),
  oddity('keyType', { id: 'x' }, '22P02', /invalid input syntax/, putAll),
  oddity('throwing', {}, 'error', /boom \uFFFD/, () => {
    throw new Error('boom \0')
  }),
  oddity('undeclared', {}, 'undeclared-row', /row 2 is not declared/, (rows, data, table) =>
    rows[table]!.put({ ...(data as object), id: 2 }),
  ),
  oddity('incomplete', { key: null }, 'misshapen-row', /key is missing/, putAll),
  oddity('newer', {}, 'newer-release-running', /version 2/, putAll, 2),
]

export const oddProjections = oddities.map(({ projection }) => projection)
