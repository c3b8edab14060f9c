import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createExecutor } from '../../../src/commands/executor/execute.ts'
import { registerOrder } from '../../../src/commands/orders/orders.ts'
import { clock, now } from '../../../src/lib/clocks.ts'
import { bareOrder } from '../../domain/verdict/facts.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { noNames } from '../../support/noNames.ts'
import { context, under } from '../yard.ts'

const content = { ...bareOrder, lineItems: [] }
const register = registerOrder(randomUUID(), 'SO-1', content)

function executorThat(refuseToRecord: () => (position: number) => void) {
  const store = createMemoryStore().connect()
  const options = { store, persons: noNames, now, clock, newId: randomUUID, cacheBytes: 1_000_000 }
  return { store, ...createExecutor({ ...options, refuseToRecord }) }
}

it('records nothing while the process must not record', async () => {
  const { store, execute } = executorThat(() => {
    throw new Error('the clock is wrong')
  })
  await expect(execute(register, context())).rejects.toThrow('the clock is wrong')
  expect(await store.last()).toBeUndefined()
})

it('looks at the position of a new event, and of no repeat', async () => {
  const seen: number[] = []
  const { store, execute } = executorThat(() => (position) => void seen.push(position))
  for (let turn = 0; turn < 2; turn++) await execute(register, under('k'))
  expect(seen).toEqual([(await store.last())!.position])
})

it('refuses a command whose event stands where none may be', async () => {
  const { execute } = executorThat(() => () => {
    throw new Error('the store is rewound')
  })
  await expect(execute(register, context())).rejects.toThrow('the store is rewound')
})
