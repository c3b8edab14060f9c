import { beforeEach, expect, it } from 'vitest'
import type { ChangePage, Wanted } from '../../src/changes/readChanges.ts'
import { type ReadChanges, shareReads } from '../../src/changes/shareReads.ts'
import { companyId, id } from '../support/given.ts'

const notHere = () => {
  throw new Error('not here')
}
const wanted: Wanted = { companyId, after: 7, limit: 100, types: ['heatmark.bar'] }
const page: ChangePage = { changes: [], next: 9, position: 9 }

let heard: number
let begun: PromiseWithResolvers<ChangePage>[]
let read: ReadChanges
beforeEach(() => {
  heard = 9
  begun = []
  const sources = {
    reader: { ofCompany: notHere },
    eventStore: { last: notHere },
    positions: { waitFor: notHere, positionOf: () => heard },
  }
  read = shareReads(sources, () => {
    const one = Promise.withResolvers<ChangePage>()
    begun.push(one)
    return one.promise
  })
})

it('lets readers who want the same share one read', async () => {
  const both = Promise.all([read(wanted), read({ ...wanted })])
  expect(begun).toHaveLength(1)
  begun[0]!.resolve(page)
  expect(await both).toEqual([page, page])
})

it.each<[string, Partial<Wanted>]>([
  ['another company', { companyId: id(99) }],
  ['another place', { after: 8 }],
  ['fewer changes', { limit: 1 }],
  ['other types', { types: [] }],
])('reads for itself when a reader wants %s', (_, other) => {
  read(wanted)
  read({ ...wanted, ...other })
  expect(begun).toHaveLength(2)
})

it('reads again for a reader who comes after more was heard, because the read under way may not show it', () => {
  read(wanted)
  heard = 10
  read(wanted)
  expect(begun).toHaveLength(2)
})

it('keeps neither a page nor a failure', async () => {
  const first = read(wanted)
  begun[0]!.resolve(page)
  await first
  const failing = read(wanted)
  begun[1]!.reject(new Error('no connection'))
  await expect(failing).rejects.toThrow('no connection')
  read(wanted)
  expect(begun).toHaveLength(3)
})
