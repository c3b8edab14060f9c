import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Output } from '../../src/cli/heatmark/output.ts'
import { showStream } from '../../src/cli/heatmark/stream.ts'
import { catalogueStream } from '../../src/domain/tags/tagCatalogue.ts'
import { alice, now } from '../support/given.ts'
import { createMemoryStore } from '../support/memoryStore.ts'

it('says of each event that is not in the state what is wrong with it', async () => {
  const memory = createMemoryStore()
  const [store, stream] = [memory.connect(), catalogueStream(randomUUID())]
  const eventOf = (type: string, schemaVersion?: number) => {
    const written = { actor: alice, occurredAt: now, correlationId: 'c', schemaVersion: schemaVersion! }
    return { id: randomUUID(), type, data: {}, metadata: schemaVersion ? written : (undefined as never) }
  }
  memory.appendBytes(stream, 'TagCreated')
  await store.append(stream, 0, [eventOf('TagCreated', 99), eventOf('BarApproved', 1), eventOf('Strange')])
  const records: unknown[] = []
  const texts: string[] = []
  const output = {
    record(record: unknown, text: string) {
      records.push(record)
      texts.push(text)
    },
  }

  expect(await showStream(store, stream, undefined, output as Output)).toBe(false)
  expect(texts[0]!.split('\n').slice(-4)).toEqual([
    'Revision 0, TagCreated of version 1, is not in this state: its data are no JSON object',
    'Revision 1, TagCreated of version 99, is not in this state: this release knows its type up to version 1',
    'Revision 2, BarApproved of version 1, is not in this state: this release does not know its type here',
    'Revision 3, Strange of version 1, is not in this state: this release does not know its type here, and it has no metadata',
  ])
  expect(records[0]).toMatchObject({ unreadable: [{ revision: 0 }, { revision: 1 }, {}, {}] })
})
