import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  certificateSubject,
  millCertificate,
  registerCertificate,
} from '../../src/domain/certificates/certificate.ts'
import { type Aggregate, fold } from '../../src/domain/kernel/aggregate.ts'
import type { DomainEvent } from '../../src/domain/kernel/event.ts'
import { assignTags } from '../../src/domain/tags/subject.ts'
import {
  createTag,
  restoreTag,
  softDeleteTag,
  tagCatalogue,
  updateTag,
} from '../../src/domain/tags/tagCatalogue.ts'
import { certificates } from '../../src/projections/certificates/certificates.ts'
import { access } from '../../src/projections/company/access.ts'
import { orders } from '../../src/projections/orders/orders.ts'
import { history } from '../../src/projections/tags/history.ts'
import { tags } from '../../src/projections/tags/tags.ts'
import * as facts from '../domain/verdict/facts.ts'
import { companyId, contextOf, id, recorded, stored } from '../support/given.ts'
import { foldInMemory } from './foldInMemory.ts'
import { portions } from './histories.ts'
import { inBatches } from './inBatches.ts'

/*
 * Random histories of a yard with a few tags and certificates, made by the decisions themselves.
 */

const [allTags, allSubjects] = [
  [0, 1, 2, 3, 4],
  [0, 1, 2, 3],
]
const tagId = (n: number) => id(100 + n)
const subjectId = (n: number) => id(500 + n)

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('assign' as const),
      subject: fc.constantFrom(...allSubjects),
      tags: fc.subarray(allTags),
    }),
    fc.record({
      kind: fc.constantFrom('delete' as const, 'restore' as const, 'update' as const),
      tag: fc.constantFrom(...allTags),
    }),
  ),
  { maxLength: 40 },
)
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never

/** A stream to decide on, whose events also go to the log of all streams. */
const stream = <State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, log: DomainEvent[]) => {
  let state = aggregate.initial
  return {
    state: () => state,
    record(events: readonly Event[]) {
      log.push(...events)
      state = fold(aggregate, state, stored(events))
    },
  }
}

const happened = (taken: readonly Step[]) => {
  const log: DomainEvent[] = [
    facts.companyRegistered,
    facts.memberRolesSet('bob', 'Editor'),
    facts.memberRemoved('bob'),
    facts.orderRegistered(),
  ]
  const context = contextOf()
  const catalogue = stream(tagCatalogue, log)
  for (const n of allTags) {
    const content = facts.tagContent({ name: `Tag ${n}` })
    const named = { ...context, newId: () => tagId(n) }
    catalogue.record(createTag(catalogue.state(), { companyId, family: 'millCert', content }, named))
  }
  const subjects = allSubjects.map((n) => {
    const certificate = stream(millCertificate, log)
    const numbers = {
      certificateNumber: `MC ${n}`,
      heatNumber: 'H',
      item: null,
      millCertificationId: subjectId(n),
    }
    certificate.record(registerCertificate(undefined, { companyId, ...numbers }, facts.certificateContent()))
    return certificate
  })
  for (const step of taken) {
    if (step.kind === 'assign') {
      const subject = subjects[step.subject]!
      subject.record(assignTags(certificateSubject, subject.state()!, step.tags.map(tagId), context))
      continue
    }
    const tag = catalogue.state().tags.get(tagId(step.tag))!
    if (step.kind === 'delete') catalogue.record(softDeleteTag(tag))
    if (step.kind === 'restore') catalogue.record(restoreTag(tag))
    if (step.kind === 'update' && tag.active) {
      const content = facts.tagContent({ name: tag.name, color: tag.color === '#000' ? '#FFF' : '#000' })
      catalogue.record(updateTag(catalogue.state(), tag, content))
    }
  }
  return { events: recorded(log), catalogue: catalogue.state() }
}

it('counts the use of every tag as a recount of what was last assigned does', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const { events, catalogue } = happened(taken)
      const naive = new Map(allSubjects.map((subject) => [subject, new Set<number>()]))
      for (const step of taken) if (step.kind === 'assign') naive.set(step.subject, new Set(step.tags))

      const { tag, tagUsage, assignment } = foldInMemory(tags, events)
      for (const n of allTags) {
        const used = [...naive.values()].filter((assigned) => assigned.has(n)).length
        const row = tag!.find((one) => one.tagId === tagId(n))
        const { active, color } = catalogue.tags.get(tagId(n))!
        expect(row).toMatchObject({ active, color })
        expect(tagUsage!.find((one) => one.tagId === tagId(n))).toMatchObject({ usageCount: used })
        const entries = foldInMemory(history, events).tagHistory!.filter((entry) => entry.tagId === tagId(n))
        const times = (changeType: string) =>
          entries.filter((entry) => entry.changeType === changeType).length
        expect(times('Assigned') - times('Unassigned')).toBe(used)
      }
      const pairs = assignment!.map((one) => `${one.subjectId} ${one.tagId}`)
      const naivePairs = [...naive].flatMap(([subject, assigned]) =>
        [...assigned].map((n) => `${subjectId(subject)} ${tagId(n)}`),
      )
      expect(pairs.sort()).toStrictEqual(naivePairs.sort())
    }),
  )
})

it('comes to the same rows from scratch and batch by batch', () => {
  fc.assert(
    fc.property(steps, portions, (taken, cut) => {
      const { events } = happened(taken)
      for (const projection of [tags, certificates, orders, history, access])
        expect(inBatches(projection, cut(events))).toEqual(foldInMemory(projection, events))
    }),
  )
})

it('comes to the same state from scratch and from a kept state, also of events read back from JSON', () => {
  fc.assert(
    fc.property(steps, fc.nat(60), (taken, kept) => {
      const { events, catalogue } = happened(taken)
      const own = events.filter(({ type }) => type.startsWith('Tag')) as never[]
      const before = fold(tagCatalogue, tagCatalogue.initial, own.slice(0, kept))
      const after = fold(tagCatalogue, before, JSON.parse(JSON.stringify(own.slice(kept))))
      const fromScratch = fold(tagCatalogue, tagCatalogue.initial, own)
      expect(after.tags.toJS()).toStrictEqual(fromScratch.tags.toJS())
      expect(after.names.equals(catalogue.names)).toBe(true)
      expect(after.count).toStrictEqual(fromScratch.count)
    }),
  )
})
