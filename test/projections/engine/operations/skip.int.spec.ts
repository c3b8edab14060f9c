import { beforeAll, expect, test } from 'vitest'
import { clock } from '../../../../src/lib/clocks.ts'
import { Failure } from '../../../../src/lib/failure.ts'
import { access } from '../../../../src/projections/company/access.ts'
import { rebuild } from '../../../../src/projections/engine/operations/rebuild.ts'
import { type ReplayOptions, replayLock } from '../../../../src/projections/engine/operations/replay.ts'
import { passOverFaults, skipEvent } from '../../../../src/projections/engine/operations/skip.ts'
import { verify } from '../../../../src/projections/engine/operations/verify.ts'
import { type Projection, table, text } from '../../../../src/projections/engine/projection.ts'
import { createReader } from '../../../../src/projections/engine/reading/reader.ts'
import { requireComplete } from '../../../../src/projections/engine/reading/toDecide.ts'
import { readSkips } from '../../../../src/projections/engine/schema/skips.ts'
import { own } from '../../../support/own.ts'
import { until } from '../../../support/until.ts'
import { company, type SampleEvent } from '../../samples.ts'
import { setStage } from '../../stage.ts'

/** A projection stops at an event, and passes over it by itself, or because an operator says so. */

const noteIn = ({ data }: { data: object }) => {
  const { note } = data as { note: string }
  return note === 'refuse' ? '\0' : note
}

/** Stops at a note that says so: some at its fold, some because PostgreSQL refuses the row. */
const fussy: Projection = {
  name: 'fussy',
  version: 1,
  tables: { noted: table({ columns: { note: text }, key: ['note'] }) as never },
  handlers: {
    ItemNoted: {
      touches: (event) => ({ noted: [[noteIn(event)]] }),
      apply: (rows, event) => {
        if (noteIn(event) === 'stop') throw new Error('told to stop')
        rows.noted!.put({ note: noteIn(event) })
      },
    },
  },
}

const note = (text: string): SampleEvent => ({
  type: 'ItemNoted',
  data: { companyId: company(1), item: 1, note: text },
})

const stage = await own(setStage([fussy, access]))
beforeAll(async () => {
  stage.project()
})

const replayed = (projections: readonly Projection[]): ReplayOptions => ({
  eventStore: stage.eventStore,
  postgres: stage.postgres,
  readModels: stage.readModels.only(projections),
  clock,
})
const skip = (projection = fussy, reason = 'a trial') => skipEvent(stage, projection, reason)
const untilStopped = () => until(async () => (await stage.state('fussy')).status === 'failed')
const untilAt = (position: number) => until(async () => (await stage.state('fussy')).position === position)
const notes = async () => {
  const { generation } = await stage.state('fussy')
  const rows = await stage.postgres.query<{ note: string }>(
    `SELECT note FROM "${stage.readModels.schema}".noted_${generation} ORDER BY note`,
  )
  return rows.map(({ note }) => note)
}

test.each(['stop', 'refuse'])(
  'resumes a projection at its position, without the event whose fold is to %s',
  async (word) => {
    const { generation } = await stage.state('fussy')
    const { position } = await stage.append(note(`before ${word}`), note(word), note(`after ${word}`))
    await untilStopped()
    const skipped = await skip()
    expect(skipped).toMatchObject({ projection: 'fussy', eventType: 'ItemNoted', reason: 'a trial' })
    await untilAt(position)
    expect((await notes()).filter((one) => one.includes(word))).toEqual([`after ${word}`, `before ${word}`])
    expect(await stage.state('fussy')).toMatchObject({ status: 'running', failure: null, generation })
  },
)

test('applies to rebuilds, and is in the result of a verify', async () => {
  const before = await notes()
  await rebuild(replayed([fussy]))
  await untilAt((await stage.append(note('after the rebuild'))).position)
  expect(await notes()).toEqual([...before, 'after the rebuild'].toSorted())
  const verified = await verify(replayed([fussy]))
  expect(verified).toMatchObject({ differenceCount: 0, stopped: [] })
  expect(verified.skipped.map(({ reason }) => reason)).toEqual(['a trial', 'a trial'])
  expect((await verify(replayed([access]))).skipped).toEqual([])
  // A rebuild begins at the first event: without the skips it would stop there.
  await stage.postgres.query(
    'BEGIN; CREATE TABLE kept AS TABLE heatmark_local.projection_skip; DELETE FROM heatmark_local.projection_skip; COMMIT',
  )
  await expect(rebuild(replayed([fussy]))).rejects.toThrow('told to stop')
  await stage.postgres.query('INSERT INTO heatmark_local.projection_skip TABLE kept; DROP TABLE kept')
})

test('covers one event: the projection stops again at the next', async () => {
  await stage.append(note('stop'), note('stop'))
  for (let count = 3; count <= 4; count++) {
    await untilStopped()
    const { position } = await skip(fussy, `number ${count}`)
    expect(await readSkips(stage.postgres, stage.readModels)).toHaveLength(count)
    expect((await readSkips(stage.postgres, stage.readModels)).at(-1)).toMatchObject({ position })
    await until(
      async () =>
        (await stage.state('fussy')).position >= position || (await stage.state('fussy')).status === 'failed',
    )
  }
  await untilAt((await stage.eventStore.last())!.position)
})

test('refuses a projection that has not stopped at an event', async () => {
  await expect(skip()).rejects.toThrow(
    new Failure('nothing-to-skip', 'fussy has not stopped at an event: there is nothing to skip'),
  )
})

test('refuses while a rebuild is under way, and when the store has another event at the position', async () => {
  await stage.append(note('stop'))
  await untilStopped()
  const { failure } = await stage.state('fussy')
  const rebuilding = await stage.postgres.connect()
  await rebuilding.query(`SELECT pg_advisory_lock(${replayLock(stage.readModels, 'fussy')})`)
  await expect(skip()).rejects.toMatchObject({ code: 'run-under-way' })
  rebuilding.release(true)

  const elsewhere = { ...stage, eventStore: { ...stage.eventStore, eventAt: async () => undefined } }
  await expect(skipEvent(elsewhere, fussy, 'no')).rejects.toMatchObject({ code: 'event-store-went-back' })
  expect(await stage.state('fussy')).toMatchObject({ status: 'failed', failure })
  await until(() =>
    skip().then(
      () => true,
      () => false,
    ),
  )
})

test('never skips an event of access that may take access away', async () => {
  // Malformed, so that no fold can take it.
  const broken = (type: string) =>
    ({ type, data: { companyId: 'none', keyId: 'none' } }) as unknown as SampleEvent
  const revocations = Object.keys(access.handlers).filter((type) => !access.skippable!.includes(type))
  expect(revocations).toEqual(
    expect.arrayContaining(['MemberRolesSet', 'MemberRemoved', 'ApiKeyDeleted', 'ApiKeysRolled']),
  )
  await stage.append(broken('CompanyRegistered'), broken('ApiKeyCreated'), broken('ApiKeyDeleted'))
  for (const type of ['CompanyRegistered', 'ApiKeyCreated']) {
    await until(async () => (await stage.state('access')).failure?.event.type === type)
    expect(await skip(access)).toMatchObject({ eventType: type })
  }
  await until(async () => (await stage.state('access')).failure?.event.type === 'ApiKeyDeleted')
  await expect(skip(access)).rejects.toThrow(
    'access has stopped at ApiKeyDeleted, which may take access away',
  )
  expect((await stage.state('access')).status).toBe('failed')
})

test('passes over by itself what this release cannot fold, up to a bound, and another release tries again', async () => {
  const itself = await setStage([fussy, access])
  itself.project({ passOverFaults: () => passOverFaults(itself, 2) })
  const state = (name: string) => itself.state(name)
  const { position } = await itself.append(note('a'), note('stop'), note('refuse'), note('b'))
  await until(async () => (await state('fussy')).position === position)
  expect(await state('fussy')).toMatchObject({ status: 'running', failure: null })
  const skips = await readSkips(itself.postgres, itself.readModels)
  expect(skips).toMatchObject([
    { projection: 'fussy', automatic: true, reason: 'error: told to stop' },
    { projection: 'fussy', automatic: true, reason: expect.stringMatching(/^22021: /) },
  ])
  expect(await itself.rows(fussy)).toEqual({ noted: new Map(['a', 'b'].map((note) => [note, { note }])) })

  const release = { eventStore: itself.eventStore, postgres: itself.postgres, clock }
  const again = { ...release, readModels: itself.readModels.only([fussy]) }
  expect((await rebuild(again)).projections).toMatchObject([{ name: 'fussy' }])
  expect(await verify(again)).toMatchObject({ differenceCount: 0, skipped: skips })
  expect(await readSkips(itself.postgres, { ...itself.readModels, schema: 'another' })).toEqual([])

  const reader = createReader({
    postgres: itself.postgres,
    readModels: itself.readModels,
    positions: { knownStates: new Map() },
    clock,
    streams: 1,
  })
  const decide = (companyId: string) =>
    reader.read([fussy], (reading) => requireComplete(reading, companyId)).then(() => 'decided')
  expect(await decide(company(2))).toBe('decided')
  for (const reason of ['looked at one', 'looked at the other']) {
    await expect(decide(company(1))).rejects.toMatchObject({ code: 'facts-incomplete', status: 503 })
    expect(await skipEvent(itself, fussy, reason)).toMatchObject({ automatic: false, reason })
  }
  expect(await decide(company(1))).toBe('decided')
  expect(await readSkips(itself.postgres, itself.readModels)).toMatchObject([
    { automatic: false, reason: 'looked at one' },
    { automatic: false, reason: 'looked at the other' },
  ])
  await expect(skipEvent(itself, fussy, 'once more')).rejects.toMatchObject({ code: 'nothing-to-skip' })

  await itself.append(note('stop'), note('stop'), note('stop'), {
    type: 'ApiKeyDeleted',
    data: { companyId: 'no uuid', keyId: 'no uuid' },
  } as unknown as SampleEvent)
  await until(
    async () =>
      (await readSkips(itself.postgres, itself.readModels)).length === 4 &&
      (await state('fussy')).status === 'failed' &&
      (await state('access')).status === 'failed',
  )
  await expect(decide(company(2))).rejects.toMatchObject({ code: 'facts-incomplete' })
  await passOverFaults(itself, 2)
  expect((await state('fussy')).status).toBe('failed')
  // As if the rows of an event that can be folded could not be written.
  const { stateTable } = itself.readModels
  const ofFold = (is: boolean) =>
    itself.postgres.query(
      `UPDATE ${stateTable} SET failure = jsonb_set(failure::jsonb, '{ofFold}', $1::jsonb) WHERE name = 'fussy'`,
      [is],
    )
  await ofFold(false)
  await passOverFaults(itself, 3)
  expect((await state('fussy')).status).toBe('failed')
  await ofFold(true)
  await passOverFaults(itself, 3)
  expect((await state('access')).status).toBe('failed')
  await until(async () => (await state('fussy')).status === 'running')
  await itself.close()
})
