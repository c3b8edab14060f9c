import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import { setManualAssignments } from '../../../src/commands/tags/assignments.ts'
import { createTag, restoreTag, softDeleteTag, updateTag } from '../../../src/commands/tags/tags.ts'
import { replaceMembers } from '../../../src/domain/kernel/edit.ts'
import type { EventMetadata, Recorded } from '../../../src/domain/kernel/event.ts'
import { forbidden } from '../../../src/domain/kernel/refusal.ts'
import type { Family } from '../../../src/domain/tags/tag.ts'
import { catalogueStream } from '../../../src/domain/tags/tagCatalogue.ts'
import { Failure } from '../../../src/lib/failure.ts'
import { noStream } from '../../../src/stores/eventStore.ts'
import { certificateContent, tagContent } from '../../domain/verdict/facts.ts'
import { alice, bob } from '../../support/given.ts'
import { context, createStage, eventsOf, keyed, refusalOf } from '../nodes.ts'

const stage = createStage()
const here = stage.node()
const there = stage.node()

/** Commands for a new company. */
function yard() {
  const companyId = randomUUID()
  const family: Family = 'millCert'
  return {
    companyId,
    stream: catalogueStream(companyId),
    create: (name: string) => createTag(companyId, family, tagContent({ name })),
    rename: (tagId: string, name: string) =>
      updateTag({ companyId, family, tagId }, replaceMembers(tagContent({ name }))),
    softDelete: (tagId: string) => softDeleteTag({ companyId, family, tagId }),
    restore: (tagId: string) => restoreTag({ companyId, family, tagId }),
    register: registerCertificate(
      companyId,
      { certificateNumber: 'MC', heatNumber: 'H' },
      certificateContent(),
    ),
  }
}

describe('a command', () => {
  it('records its decision with actor, time and request, and answers from it', async () => {
    const { companyId, stream, create } = yard()
    const outcome = await here.execute(create('Hold'), context)
    const [event, ...others] = await eventsOf(there.store, stream)
    expect(others).toStrictEqual([])
    expect(event).toMatchObject({
      type: 'TagCreated',
      data: { companyId, tagId: outcome.body.tagId, name: 'Hold' },
      metadata: {
        actor: { ...alice, name: '' },
        occurredAt: new Date(stage.time).toISOString(),
        correlationId: 'a correlation',
        schemaVersion: 1,
      },
    })
    expect(event!.metadata).not.toHaveProperty('idempotency')
    expect(outcome).toMatchObject({
      body: { companyId, name: 'Hold', active: true, lastModifiedBy: alice.id },
      etag: 0,
      position: event!.position,
      recorded: ['TagCreated'],
      replayed: false,
    })
  })

  it('is decided on the events of other nodes', async () => {
    const { create, rename } = yard()
    const { tagId } = (await here.execute(create('Hold'), context)).body
    const outcome = await there.execute(rename(tagId, 'Quarantine'), { ...context, actor: bob })
    expect(outcome).toMatchObject({ body: { name: 'Quarantine', lastModifiedBy: bob.id }, etag: 1 })
  })

  it('answers the position of the last event of the stream when it has nothing to record', async () => {
    const { create, restore } = yard()
    const { tagId } = (await here.execute(create('Hold'), context)).body
    const { position } = await there.execute(create('Retest'), context)
    const outcome = await here.execute(restore(tagId), context)
    expect(outcome).toMatchObject({ recorded: [], position, etag: 0, replayed: false })
  })

  it('gets a revision of its own when many run at once', async () => {
    const { create, stream } = yard()
    const names = Array.from({ length: 20 }, (_, n) => `Tag ${n}`)
    const node = stage.node()
    await Promise.all(names.map((name) => node.execute(create(name), context)))
    expect(
      (await eventsOf(node.store, stream)).map(({ data }) => (data as { name: string }).name),
    ).toStrictEqual(names)
    expect(node.appends).toStrictEqual(names.map(() => false))
  })
})

describe('a command that waits for its turn', () => {
  it('is refused when its caller loses access meanwhile', async () => {
    const { create, stream } = yard()
    const node = stage.node()
    let mayAct = true
    const requireAccess = async () => {
      if (!mayAct) throw forbidden()
    }
    const running = Array.from({ length: 20 }, (_, n) =>
      node.execute(create(`Tag ${n}`), { ...context, requireAccess }),
    )
    await running[0]
    mayAct = false
    const outcomes = await Promise.allSettled(running)
    const recorded = outcomes.filter(({ status }) => status === 'fulfilled')
    // The second one may have begun before.
    expect(recorded.length).toBeLessThanOrEqual(2)
    expect(await eventsOf(node.store, stream)).toHaveLength(recorded.length)
    expect(await refusalOf(running.at(-1)!)).toBe('forbidden')
  })
})

describe('a conflict with another node', () => {
  it('makes the node read forward and decide again', async () => {
    const { create, stream } = yard()
    const node = stage.node()
    await node.execute(create('Hold'), context)
    await there.execute(create('Retest'), context)
    const outcome = await node.execute(create('Release'), context)
    expect(outcome.etag).toBe(2)
    expect(node.appends).toStrictEqual([false, true, false])
    expect(await eventsOf(there.store, stream)).toHaveLength(3)
  })

  it('never gives one name to two tags, with many requests on two nodes at once', async () => {
    const { create, stream } = yard()
    const asked = Array.from({ length: 60 }, (_, n) => [n % 2 ? here : there, `Tag ${n % 12}`] as const)
    const answers = await Promise.all(
      asked.map(([node, name]) => refusalOf(node.execute(create(name), context))),
    )
    expect(answers.filter((answer) => answer === 'none')).toHaveLength(12)
    expect(answers.filter((answer) => answer === 'tag-name-taken')).toHaveLength(48)
    const names = (await eventsOf(here.store, stream)).map(({ data }) => (data as { name: string }).name)
    expect(new Set(names).size).toBe(12)
    expect(names).toHaveLength(12)
  })

  it('is decided again 20 times, and then refused', async () => {
    const { create } = yard()
    const always = async () => {
      throw new Failure('wrong-revision', 'another was first')
    }
    const node = stage.node({ through: (store) => ({ ...store, append: always }) })
    expect(await refusalOf(node.execute(create('Hold'), context))).toBe('too-busy')
    expect(node.appends).toHaveLength(1 + 20)
  })
})

describe('a cached state', () => {
  it('refuses no command that an event of another node allows', async () => {
    const { create, rename, softDelete } = yard()
    const { tagId } = (await here.execute(create('Hold'), context)).body
    await there.execute(rename(tagId, 'Quarantine'), context)
    expect(await refusalOf(here.execute(create('Hold'), context))).toBe('none')
    const { tagId: late } = (await there.execute(create('Late'), context)).body
    expect(await refusalOf(here.execute(softDelete(late), context))).toBe('none')
  })

  it('refuses a command that the current state refuses', async () => {
    const { create, softDelete } = yard()
    await here.execute(create('Hold'), context)
    await there.execute(create('Retest'), context)
    expect(await refusalOf(here.execute(create('Hold'), context))).toBe('tag-name-taken')
    expect(await refusalOf(here.execute(create('Retest'), context))).toBe('tag-name-taken')
    expect(await refusalOf(here.execute(softDelete(randomUUID()), context))).toBe('tag-not-found')
  })

  it('records a change that an event of another node has made necessary', async () => {
    const { create, softDelete, restore } = yard()
    const { tagId } = (await here.execute(create('Hold'), context)).body
    await here.execute(softDelete(tagId), context)
    await there.execute(restore(tagId), context)
    expect((await here.execute(softDelete(tagId), context)).recorded).toStrictEqual(['TagSoftDeleted'])
  })

  it('accepts the ETag of another node’s change', async () => {
    const { create, rename } = yard()
    const { tagId } = (await here.execute(create('Hold'), context)).body
    const { etag } = await there.execute(rename(tagId, 'Quarantine'), context)
    const ifMatch = (present: number) => present === etag
    expect((await here.execute(rename(tagId, 'Aside'), { ...context, ifMatch })).etag).toBe(2)
    expect(await refusalOf(here.execute(rename(tagId, 'Back'), { ...context, ifMatch }))).toBe(
      'precondition-failed',
    )
  })

  it('of a dependency is read to its end before every decision', async () => {
    const { companyId, create, softDelete, register } = yard()
    const { millCertificationId } = (await here.execute(register, context)).body
    const { tagId } = (await here.execute(create('Hold'), context)).body
    const assign = setManualAssignments(companyId, 'millCert', millCertificationId, [tagId])
    await there.execute(softDelete(tagId), context)
    expect(await refusalOf(here.execute(assign, context))).toBe('validation-failed')
  })

  it('is read again when the cache had no room for it', async () => {
    const { create, rename } = yard()
    const forgetful = stage.node({ cacheBytes: 1 })
    const { tagId } = (await forgetful.execute(create('Hold'), context)).body
    expect((await forgetful.execute(rename(tagId, 'Quarantine'), context)).etag).toBe(1)
  })
})

it('checks that the record exists, then its ETag, and then the rest', async () => {
  const { create, rename, softDelete } = yard()
  const ifMatch = () => false
  const { tagId } = (await here.execute(create('Hold'), context)).body
  await here.execute(softDelete(tagId), context)
  expect(await refusalOf(here.execute(rename(randomUUID(), 'A'), { ...context, ifMatch }))).toBe(
    'tag-not-found',
  )
  expect(await refusalOf(here.execute(rename(tagId, 'A'), { ...context, ifMatch }))).toBe(
    'precondition-failed',
  )
})

describe('an event that only a newer release understands', () => {
  const spoilt = createStage()
  const here = spoilt.node()
  const there = spoilt.node()

  const metadata = {
    actor: alice,
    occurredAt: '2026-03-01T12:00:00.000Z',
    correlationId: 'c',
    schemaVersion: 1,
  }
  const newer: [string, string, EventMetadata][] = [
    ['an unknown type', 'TagPainted', metadata],
    ['a newer version', 'TagCreated', { ...metadata, schemaVersion: 2 }],
  ]

  it.each(newer)('stops commands: %s', async (_, type, metadata) => {
    const { companyId, stream, create, register } = yard()
    const data = { companyId, family: 'millCert', tagId: randomUUID(), ...tagContent() }
    await here.store.append(stream, noStream, [{ id: randomUUID(), type, data, metadata }])
    const answers = [here.execute(create('Hold'), context), here.execute(create('Hold'), context)]
    for (const answer of answers) expect(await refusalOf(answer)).toBe('newer-release-running')
    // The catalogue is a dependency of the certificate's tags.
    expect(await refusalOf(here.execute(register, context))).toBe('newer-release-running')
    expect(await eventsOf(here.store, stream)).toHaveLength(1)
  })

  it.each(newer)('stops commands on a node with an older cached state: %s', async (_, type, metadata) => {
    const { companyId, stream, create, rename } = yard()
    const { tagId } = (await here.execute(create('Hold'), context)).body
    const data = { companyId, family: 'millCert', tagId: randomUUID(), ...tagContent({ name: 'New' }) }
    await there.store.append(stream, 0, [{ id: randomUUID(), type, data, metadata }])
    for (const command of [create('Retest'), create('Hold'), rename(tagId, 'Aside'), rename(tagId, 'Hold')])
      expect(await refusalOf(here.execute(command, context))).toBe('newer-release-running')
    expect(await eventsOf(here.store, stream)).toHaveLength(2)
  })

  it('stops commands also when it has a known type but is not JSON', async () => {
    const { stream, create, rename } = yard()
    const { tagId } = (await here.execute(create('Hold'), context)).body
    spoilt.recordBytes(stream, 'TagCreated')
    for (const node of [here, there])
      expect(await refusalOf(node.execute(rename(tagId, 'Aside'), context))).toBe('newer-release-running')
  })
})

it('never records a time before the last one of the stream, even when clocks differ by minutes', async () => {
  const { create, stream } = yard()
  const early = stage.node({ now: () => new Date('2026-02-01T00:00:00.000Z') })
  const late = stage.node({ now: () => new Date('2026-02-01T00:10:00.000Z') })
  for (const [node, name] of [
    [early, 'a'],
    [late, 'b'],
    [early, 'c'],
    [early, 'd'],
  ] as const)
    await node.execute(create(name), context)
  expect((await eventsOf(here.store, stream)).map(({ metadata }) => metadata.occurredAt)).toStrictEqual([
    '2026-02-01T00:00:00.000Z',
    ...Array(3).fill('2026-02-01T00:10:00.000Z'),
  ])
})

describe('a stream that a node with a wrong clock has written to', () => {
  const wrong = '2031-01-01T00:00:00.000Z'
  const spoilt = async () => {
    const { create, stream } = yard()
    const ahead = stage.node({ now: () => new Date(wrong) })
    await ahead.execute(create('From the future'), keyed('k'))
    return { create, times: async () => (await eventsOf(here.store, stream)).map(timeOf) }
  }
  const timeOf = ({ metadata }: Recorded) => metadata.occurredAt

  it('takes its next times from the clock of the node that writes next', async () => {
    const { create, times } = await spoilt()
    await here.execute(create('a'), context)
    await stage.node().execute(create('b'), context)
    const present = new Date(stage.time).toISOString()
    expect(await times()).toStrictEqual([wrong, present, present])
  })

  it('remembers its Idempotency-Key for 24 hours by the clock of the store', async () => {
    const { create, times } = await spoilt()
    const [other, late] = [stage.node(), stage.node({ now: () => new Date(stage.time + 86_400_000) })]
    expect(await other.execute(create('From the future'), keyed('k'))).toMatchObject({ replayed: true })
    expect(await late.execute(create('A new request'), keyed('k', 'another'))).toMatchObject({
      replayed: false,
    })
    expect(await times()).toHaveLength(2)
  })
})

it('queues 500 commands for one stream, and refuses the next', async () => {
  const { create, stream } = yard()
  const node = stage.node()
  const waiting = Array.from({ length: 500 }, (_, n) => node.execute(create(`Tag ${n}`), context))
  const { register } = yard()
  const [refused, elsewhere] = [node.execute(create('One more'), context), node.execute(register, context)]
  expect(await refusalOf(refused)).toBe('too-busy')
  expect(await refusalOf(elsewhere)).toBe('none')
  await Promise.all(waiting)
  expect(await eventsOf(node.store, stream)).toHaveLength(500)
  expect(await refusalOf(node.execute(create('One more'), context))).toBe('none')
})
