import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { ObjectStore } from '../../src/documents/objects.ts'
import { claim } from '../../src/documents/owner.ts'

it('does not take a marker that could not be read for that of another event store', async () => {
  const broken = new Readable({ read: () => broken.destroy(new Error('socket hang up')) })
  const objects = { get: async () => ({ bytes: 60, content: broken }) } as unknown as ObjectStore
  const fault = await claim(objects, 'ours').catch((error: unknown) => error)
  expect(fault).toMatchObject({ code: 'objects-unavailable' })
  expect(fault).not.toMatchObject({ code: 'objects-of-another-store' })
})
