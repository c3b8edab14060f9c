import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { storeStates } from '../../../../src/projections/engine/schema/checkpoints.ts'
import type { ProjectionFailure } from '../../../../src/projections/engine/schema/schema.ts'
import { noStream } from '../../../../src/stores/eventStore.ts'
import { own } from '../../../support/own.ts'
import { until } from '../../../support/until.ts'
import { foldInMemory } from '../../foldInMemory.ts'
import { oddities, oddProjections } from '../../oddities.ts'
import { company, items, log, metadata, type SampleEvent, samples } from '../../samples.ts'
import { setStage } from '../../stage.ts'
import { allByKey } from '../../tables.ts'

const stage = await own(setStage([...samples, ...oddProjections]))

const put = (item: number, label = 'a', companyNumber = 1): SampleEvent => ({
  type: 'ItemPut',
  data: { companyId: company(companyNumber), item, label, tags: [] },
})

/** Once every projection that has not stopped has reached the position. */
const reached = (position: number) =>
  until(async () =>
    (await stage.states()).every((one) => one.status === 'failed' || one.position >= position),
  )

test('rows and positions follow the store, also through bursts that subscribers are dropped for', async () => {
  const projector = stage.project()
  // Streams of their own, so that many appends are under way at once.
  const appends = Array.from({ length: 300 }, (_, number) =>
    stage.eventStore.append(`burst-${number}`, noStream, [
      { ...put(number % 50, `label ${number}`, number % 3), id: randomUUID(), metadata: metadata() },
    ]),
  )
  await Promise.all(appends)
  const { position } = await stage.append(put(1))
  await reached(position)
  for (const projection of samples)
    expect(await stage.rows(projection)).toEqual(await stage.rowsFromScratch(projection))
  const last = await stage.eventStore.last()
  for (const state of await stage.states())
    expect(state).toMatchObject({ status: 'running', position, eventId: last!.id, failure: null })
  expect(projector.status()).toEqual({ leading: true, condition: undefined })
  await projector.stop()
})

test('folds no event again into projections that are ahead of others', async () => {
  const [{ position, eventId } = { position: 0, eventId: null }] = await stage.states()
  const counted: SampleEvent = { type: 'ItemCounted', data: { companyId: company(1), items: [1], by: 1 } }
  const last = await stage.append(counted)
  const projector = stage.project()
  await reached(last.position)
  await projector.stop()
  const states = (await stage.states()).map((one) =>
    one.name === log.name ? { ...one, position, eventId } : one,
  )
  const { text, values } = storeStates(stage.readModels, states, null)
  await stage.postgres.query(text, values)
  const again = stage.project()
  await reached(last.position)
  const later = await stage.append(counted)
  await reached(later.position)
  expect(await stage.state(items.name)).toMatchObject({ status: 'running', position: later.position })
  expect(await stage.rows(items)).toEqual(await stage.rowsFromScratch(items))
  await again.stop()
})

test('stops only the projection that cannot fold an event', async () => {
  const before = await stage.eventStore.last()
  // One append, so that they come in one batch and have to be told apart.
  const events = oddities.flatMap(({ event }, index) => [
    put(index),
    put(index + 50),
    event,
    put(index, 'after'),
  ])
  const { position } = await stage.append(...(events as SampleEvent[]))
  const stops: string[] = []
  const projector = stage.project({ observe: { onStopped: (name) => stops.push(name) } })
  await reached(position)

  const all = await Array.fromAsync(stage.eventStore.readAll(0))
  for (const [index, { projection, event, code, message }] of oddities.entries()) {
    const state = await stage.state(projection.name)
    const culprit = all.find(({ type, position }) => type === event.type && position > before!.position)!
    const last = all[all.indexOf(culprit) - 1]!
    expect(state).toMatchObject({
      status: 'failed',
      position: last.position,
      eventId: last.id,
      failure: { code, event: { id: culprit.id, type: event.type, position: culprit.position } },
    })
    expect((state.failure as ProjectionFailure).message, `oddity ${index}`).toMatch(message)
    const rows = foldInMemory(projection, all.slice(0, all.indexOf(culprit)))
    expect(await stage.rows(projection)).toEqual(allByKey(projection, rows))
  }
  expect(new Set(stops)).toEqual(new Set(oddProjections.map(({ name }) => name)))
  for (const projection of samples) {
    expect(await stage.state(projection.name)).toMatchObject({ status: 'running', position })
    expect(await stage.rows(projection)).toEqual(await stage.rowsFromScratch(projection))
  }
  await projector.stop()
})

test('keeps a stopped projection stopped when a projector starts again, and the others go on', async () => {
  const stopped = await stage.state(oddProjections[0]!.name)
  const { position } = await stage.append(put(7, 'much later'))
  const projector = stage.project()
  await reached(position)
  expect(await stage.state(stopped.name)).toEqual(stopped)
  for (const projection of samples)
    expect(await stage.rows(projection)).toEqual(await stage.rowsFromScratch(projection))
  await projector.stop()
})
