import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { zipOf } from '../../src/lib/zip.ts'
import { unheardIn } from '../support/unheard.ts'

it('gives its failure to a reader that begins later', async () => {
  async function* broken() {
    yield { path: 'a.txt', content: 'a' }
    throw new Error('no more entries')
  }
  const unheard = await unheardIn(async () => {
    const zip = zipOf(broken())
    await pause(20)
    await expect(Array.fromAsync(zip)).rejects.toThrow('no more entries')
  })
  expect(unheard).toEqual([])
})

it('may be given up before anybody reads it', async () => {
  const unheard = await unheardIn(async () => {
    const zip = zipOf((async function* () {})())
    zip.destroy(new Error('the service is stopping'))
    await pause(5)
    await expect(Array.fromAsync(zip)).rejects.toThrow('the service is stopping')
  })
  expect(unheard).toEqual([])
})
