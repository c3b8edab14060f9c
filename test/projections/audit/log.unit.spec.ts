import { describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { projections } from '../../../src/projections/all.ts'
import { log } from '../../../src/projections/audit/log.ts'
import { readModelsOf } from '../../../src/projections/engine/schema/readModels.ts'
import { entryOf } from '../../../src/proofs/merkleLog/entry.ts'
import { createTree, leafHash } from '../../../src/proofs/merkleLog/tree.ts'
import { historyOf, storeId } from '../../proofs/signing/histories.ts'
import { companyId, id } from '../../support/given.ts'
import { foldInMemory } from '../foldInMemory.ts'

describe('the log', () => {
  it('has the tree of every event of the company, also of those that no release knows', () => {
    const events: Recorded[] = [
      ...historyOf(300),
      { ...historyOf(1)[0]!, isJson: false, data: { base64: 'AAE=' }, metadata: null as never, id: id(1) },
    ]
    const tree = createTree()
    for (const event of events) tree.add(entryOf(event))
    const { head, leaf, node } = foldInMemory(log, events)
    expect(head).toMatchObject([{ companyId, ...tree.frontier() }])
    expect(
      leaf!.map(({ leafIndex, eventId, position, hash }) => [leafIndex, eventId, position, hash]),
    ).toEqual(
      events.map((event, index) => [
        index,
        event.id,
        event.position,
        leafHash(entryOf(event)).toString('base64'),
      ]),
    )
    expect(node).toEqual([{ companyId, tileLevel: 1, nodeIndex: 0, hash: tree.frontier().subtrees[0] }])
  })

  it('has the latest time up to each event, by the earlier of its own and the clock of the store', () => {
    const timed: [occurredAt: unknown, created: string | undefined, latestAt: string][] = [
      ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:01.000Z', '2026-01-01T10:00:00.000Z'],
      ['2099-01-01T00:00:00.000Z', '2026-01-01T10:00:02.000Z', '2026-01-01T10:00:02.000Z'],
      ['2026-01-01T09:00:00.000Z', '2026-01-01T10:00:03.000Z', '2026-01-01T10:00:02.000Z'],
      ['no time', '2026-01-01T10:00:04.000Z', '2026-01-01T10:00:04.000Z'],
      ['2026-01-01T10:00:05+00:00', undefined, '2026-01-01T10:00:05.000Z'],
      [undefined, undefined, '2026-01-01T10:00:05.000Z'],
    ]
    const events = historyOf(timed.length).map((event, index): Recorded => {
      const [occurredAt, created] = timed[index]!
      const metadata = { ...event.metadata, occurredAt: occurredAt as string }
      const { created: _, ...rest } = event
      return { ...rest, metadata, ...(created !== undefined && { created }) } as Recorded
    })
    expect(foldInMemory(log, events).leaf!.map(({ latestAt }) => latestAt)).toEqual(
      timed.map(([, , latestAt]) => latestAt),
    )
  })

  it('leaves out events of accounts and of the store', () => {
    const [event] = historyOf(1)
    for (const streamName of [`account-${companyId}`, 'heatmark', 'other-7'])
      expect(foldInMemory(log, [{ ...event!, streamName }]), streamName).toEqual({
        head: [],
        leaf: [],
        node: [],
      })
  })

  it('is in the background, so commands do not wait for it', () => {
    const waitedFor = readModelsOf(storeId, projections).handling(['TagCreated'])
    expect(waitedFor.map(({ name }) => name)).toContain('entries')
    expect(waitedFor).not.toContain(log)
  })
})
