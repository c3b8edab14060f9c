import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import {
  claimCheckpoints,
  isOutpaced,
  type Move,
  moveCheckpoints,
  storeStates,
} from '../../../../src/projections/engine/schema/checkpoints.ts'
import type { ReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema, readStates } from '../../../../src/projections/engine/schema/schema.ts'
import { migrateLocal } from '../../../../src/stores/localSchema/migrate.ts'
import { ownDatabase } from '../../../support/postgres.ts'
import { samples } from '../../samples.ts'

const { postgres } = await ownDatabase()
let readModels: ReadModels

beforeAll(async () => {
  await migrateLocal(postgres)
  readModels = await ensureSchema(postgres, randomUUID(), samples)
})

const at = (position: number) => ({ position, eventId: `event ${position}` })
const move = async (given: Partial<Move> & Pick<Move, 'from' | 'to'>) => {
  const message = { channel: readModels.schema, payload: '' }
  const { text, values } = moveCheckpoints(readModels, { fencing: 1, states: [], ...given }, message, false)
  await postgres.query(text, values)
}
const places = async () =>
  (await readStates(postgres, readModels)).map(({ name, status, position, eventId }) => [
    name,
    status,
    position,
    eventId,
  ])

test('a leader moves all projections with one row, from where it knows them', async () => {
  await claimCheckpoints(postgres, readModels, 1)
  await move({ from: 0, to: at(10) })
  expect(await places()).toEqual([
    ['items', 'running', 10, 'event 10'],
    ['log', 'running', 10, 'event 10'],
  ])
  // A batch that was sent behind one that failed, and one that is sent again.
  for (const from of [0, 20])
    await expect(move({ from, to: at(30) })).rejects.toSatisfy((error) => isOutpaced(error))
  expect((await places())[0]).toEqual(['items', 'running', 10, 'event 10'])
})

test('a projection that stops stays behind, and catches up', async () => {
  const stopped = { name: 'items', generation: 1, status: 'failed', failure: null, own: at(12) } as const
  await move({ from: 10, to: at(20), states: [stopped] })
  await move({ from: 20, to: at(25) })
  expect(await places()).toEqual([
    ['items', 'failed', 12, 'event 12'],
    ['log', 'running', 25, 'event 25'],
  ])
  await move({ from: 25, to: at(25), states: [{ ...stopped, status: 'running', own: undefined }] })
  expect((await places())[0]).toEqual(['items', 'running', 25, 'event 25'])
})

test('neither another leader nor a rebuild that has switched lets the leader before it move a checkpoint', async () => {
  await claimCheckpoints(postgres, readModels, 2)
  await expect(move({ from: 25, to: at(30) })).rejects.toSatisfy((error) => isOutpaced(error))
  await move({ fencing: 2, from: 25, to: at(30) })
  const states = await readStates(postgres, readModels)
  const store = (fencing: number | null) => {
    const { text, values } = storeStates(readModels, states, fencing)
    return postgres.query(text, values)
  }
  await store(null)
  for (const stale of [move({ fencing: 2, from: 30, to: at(40) }), store(2)])
    await expect(stale).rejects.toSatisfy((error) => isOutpaced(error))
  expect((await places())[1]).toEqual(['log', 'running', 30, 'event 30'])
})
