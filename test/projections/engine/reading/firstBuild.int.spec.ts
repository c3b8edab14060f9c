import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Recorded } from '../../../../src/domain/kernel/event.ts'
import {
  type FirstBuildOptions,
  watchFirstBuild,
} from '../../../../src/projections/engine/reading/firstBuild.ts'
import type { ReadModels } from '../../../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../../../src/projections/engine/schema/schema.ts'
import { StoreUnavailable } from '../../../../src/stores/eventStore.ts'
import { ownDatabase } from '../../../support/postgres.ts'
import { until } from '../../../support/until.ts'
import { samples } from '../../samples.ts'

/** A schema as it is made, watched over positions and a store of which the spec says how far they are. */

const { postgres } = await ownDatabase()

const at = (position: number) => async () => ({ position }) as Recorded

const watched = async (given: {
  shown: () => number
  last: () => Promise<Recorded>
  isRewound?: boolean
  readModels?: ReadModels
}) => {
  const readModels = given.readModels ?? (await ensureSchema(postgres, randomUUID(), samples))
  const options: FirstBuildOptions = {
    postgres,
    readModels,
    eventStore: { last: given.last },
    positions: {
      positionOf: given.shown,
      statuses: () => [],
      isRewound: () => given.isRewound ?? false,
      async waitFor(_, position) {
        if (given.shown() < position) await pause(5)
        return given.shown() >= position
      },
    },
  }
  return { readModels, build: watchFirstBuild(options) }
}
const over = (build: { underWay(ms: number): Promise<unknown> }) =>
  until(async () => (await build.underWay(10)) === undefined)

it('is over when all is shown that was there at its beginning, whatever comes meanwhile', async () => {
  let shown = 3
  let head = 100
  const { readModels, build } = await watched({ shown: () => shown, last: () => at(head)() })
  await until(async () => (await build.underWay(10))?.head === 100)
  expect(await build.underWay(10)).toEqual({ position: 3, head: 100 })
  const waiting = build.underWay(30_000)
  head = 5_000
  shown = 100
  expect(await waiting).toBeUndefined()
  await build.close()
  // A node that starts later asks nobody: it may be behind, and is served.
  const { build: later } = await watched({
    readModels,
    shown: () => 0,
    last: () => Promise.reject(new Error('no')),
  })
  await over(later)
  await later.close()
})

it('is not known to be over while a store does not say how far it is, and goes on by itself', async () => {
  const lost = new StoreUnavailable('away')
  let answers = false
  const last = () => (answers ? at(7)() : Promise.reject(lost))
  const { build } = await watched({ shown: () => 7, last })
  await until(async () => (await build.underWay(10).catch((error) => error)) === lost)
  answers = true
  await over(build)
  await build.close()
})

it('does not come to its end over another history, nor by being closed', async () => {
  const { build } = await watched({ shown: () => 500, last: at(400), isRewound: true })
  await until(async () => (await build.underWay(10))?.head === 400)
  expect(await build.underWay(100)).toEqual({ position: 500, head: 400 })
  const waiting = build.underWay(50)
  await build.close()
  expect(await waiting).toBeDefined()
})
