import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLiveEvents } from '../../../src/embedded/eventStore/liveEvents.ts'
import type { Outlet } from '../../../src/embedded/eventStore/outlet.ts'
import { read } from '../../../src/embedded/eventStore/read.ts'
import { createFrameWriter, takeFrames } from '../../../src/embedded/eventStore/storage/frames.ts'
import type { Page } from '../../../src/embedded/eventStore/storage/types.ts'
import { subscribe } from '../../../src/embedded/eventStore/subscribe.ts'
import { unheardIn } from '../../support/unheard.ts'

/** The next page is read while a client takes the last one. */

const all = {
  stream: undefined,
  direction: 'forwards',
  from: 'start',
  filter: undefined,
  checkpointEvery: 0,
} as const

/** A log whose second page cannot be read. */
const brokenLog = () => {
  let pages = 0
  return async (): Promise<Page> => {
    pages += 1
    if (pages > 1) throw new Error('the disk is gone')
    const frames = takeFrames(createFrameWriter())
    return { frames, events: 1, next: 2, end: false, head: 9, considered: 1, exists: true }
  }
}

it.each([
  ['a read', (outlet: Outlet) => read({ ...all, limit: 9 }, brokenLog(), outlet)],
  [
    'a subscription',
    (outlet: Outlet) => {
      const subscriptions = { readPage: brokenLog(), liveEvents: createLiveEvents(1), liveBuffer: 32 }
      return subscribe({ ...all, limit: undefined }, { ...subscriptions, newId: () => 'id' }, outlet)
    },
  ],
])(
  '%s hears that the next page fails, and tells the client once it has taken the last one',
  async (_, answer) => {
    const told: string[] = []
    const outlet: Outlet = {
      send: () => undefined,
      async sendAll() {
        for (let left = 5; left > 0; left -= 1) await turn()
        told.push('taken')
      },
      unsent: () => 0,
      isOver: () => false,
      onOver: () => undefined,
      end: () => undefined,
      fail: ({ details }) => void told.push(details),
    }
    expect(await unheardIn(() => answer(outlet))).toEqual([])
    expect(told).toEqual(['taken', expect.stringContaining('the disk is gone')])
  },
)
