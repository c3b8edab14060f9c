import { describe, expect, it } from 'vitest'
import { type AuditedEvent, auditedEvents, domainEvents } from '../../../src/domain/aggregates.ts'
import type { StateBefore } from '../../../src/domain/audit/audited.ts'
import { historyTexts } from '../../../src/domain/audit/historyTexts.ts'
import { changesIn, toldOf } from '../../../src/domain/audit/sentences.ts'
import { toNewestVersion } from '../../../src/domain/kernel/versions.ts'
import { sentence as said, sentenceIn } from '../../../src/domain/verdict/sentence.ts'
import { storedEvents } from '../../golden/golden.ts'
import { memberRolesChanged } from '../verdict/facts.ts'

const nothing: StateBefore = { tagNames: new Map(), certificateNumbers: new Map() }
const stored = storedEvents()
  .filter(({ event }) => event.type in auditedEvents)
  .map(({ name, event }) => ({ name, event: toNewestVersion(domainEvents, event) }))

const sentenceOf = (...event: Parameters<typeof toldOf>) => toldOf(...event).message

const judgedBy = { verdict: 1, steelGrades: 1 }

const valuesIn = (text: string) => new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))

it.each(Object.entries(historyTexts))('has the same values in each language: %s', (_, { en, de }) => {
  expect(valuesIn(de)).toEqual(valuesIn(en))
})

describe('a sentence', () => {
  it.each(stored)('tells $name in plain words, without its author', ({ event }) => {
    const told = toldOf(event as unknown as AuditedEvent, nothing)
    const sentence = told.message
    const german = sentenceIn('de', told.sentence)
    for (const text of [sentence, german]) {
      expect(text).toMatch(/^\S.* /)
      expect(text).not.toMatch(/undefined|null|NaN|\[object|\{(?!member\})/)
    }
    expect(german).not.toBe(sentence)
    expect(german).not.toMatch(/\d{4}-\d{2}-\d{2}/)
    const { name } = event.metadata.actor
    if (name !== '' && event.metadata.actor.kind !== 'rulePack') expect(sentence).not.toContain(name)
    for (const change of changesIn(event as unknown as AuditedEvent, nothing))
      expect(Object.keys(change)).toEqual(['field', 'from', 'to'])
  })

  it('names roles in each language', () => {
    const event = memberRolesChanged('u', [], 'Cutter', 'Quality') as unknown as AuditedEvent
    expect(sentenceIn('de', toldOf(event, nothing).sentence)).toMatch(/die Rollen Säger, Qualität\.$/)
  })

  it('names tags and certificates, and says when a release is taken back', () => {
    const ref = { companyId: 'c', millCertificationId: 'm' }
    const before: StateBefore = {
      tagNames: new Map([['t1', 'Hold']]),
      certificateNumbers: new Map([['other', 'MC-2']]),
      certificateStatus: 'Released',
    }
    const tagged = { added: [{ tagId: 't1' }, { tagId: 't2' }], removed: [{ tagId: 't3' }] }
    const tell = (event: object) => sentenceOf(event as AuditedEvent, before)
    expect(tell({ type: 'ManualAssignmentsReplaced', data: tagged })).toBe(
      'By hand, the tags "Hold", "t2" were put on, and the tag "t3" was taken off.',
    )
    const voided = { ...ref, reason: 'Twice.', replacedBy: 'other' }
    expect(tell({ type: 'CertificateVoided', data: voided })).toBe(
      'The certificate was voided and replaced by certificate MC-2. Reason: Twice.',
    )
    const changes = Array.from({ length: 10 }, (_, n) => ({ field: `lineItems/${n}`, from: 1, to: 2 }))
    expect(tell({ type: 'OrderCorrected', data: { orderNumber: 'SO-1', changes } })).toMatch(
      /lineItems\/7 and 2 more\.$/,
    )
    const grade = { field: 'grade', from: 'S355J2', to: 'S355K2' }
    const corrected = { certificateNumber: 'MC-1', changes: [grade] }
    expect(tell({ type: 'MillCertificateCorrected', data: corrected })).toBe(
      'Certificate MC-1 was corrected: grade. Its release was taken back.',
    )
    expect(changesIn({ type: 'MillCertificateCorrected', data: corrected } as never, before)).toEqual([
      grade,
      { field: 'status', from: 'Released', to: 'Received' },
    ])
  })

  it('says which findings were overridden', () => {
    const asked = { findings: ['k1', 'k2'], reason: 'The designer agreed.', reference: 'NCR 7' }
    const found = [
      { key: 'k1', message: 'The grade differs.', sentence: { text: 'told-by-another-release' } },
      { key: 'k2', message: 'The certificate has no document.', sentence: said('no-certificate') },
    ]
    const overridden = { type: 'FindingsOverridden', data: { ...asked, overridden: found } }
    const saying = (event: object) => sentenceOf(event as AuditedEvent, nothing)
    expect(saying(overridden)).toBe(
      'An override covers 2 findings: The grade differs. The bar has no mill certificate. Set one before it is cut. ' +
        'Reason: The designer agreed. Reference: NCR 7',
    )
    const unsure = { key: 'k3', severity: 'Flag', message: 'The line states no grade.' }
    const blocks = found.map((one) => ({ ...one, severity: 'Block' }))
    expect(
      saying({ type: 'BarApproved', data: { findings: [...blocks, unsure], judgedBy, override: asked } }),
    ).toBe(
      'The bar was approved (2 Blocks, 1 Flag; verdict 1, steel grades 1) in spite of 2 findings: The grade differs. The bar has no mill certificate. Set one before it is cut. ' +
        'Reason: The designer agreed. Reference: NCR 7',
    )
  })

  it('says which roles keys have kept', () => {
    const saying = (roles: string[]) => {
      const data = { companyId: 'c', userId: 'bob', keyIds: ['k1', 'k2'], roles }
      return sentenceOf({ type: 'MemberKeysNarrowed', data } as AuditedEvent, nothing)
    }
    expect(saying([])).toMatch(/^The roles of 2 API keys of member .+ were taken away\.$/)
    expect(saying(['Viewer', 'Planner'])).toMatch(/ were cut to Viewer, Planner\.$/)
  })

  it('lists no change of a value that an event does not have', () => {
    const completed = { type: 'BarCompleted', data: {} } as unknown as AuditedEvent
    expect(changesIn(completed, nothing)).toStrictEqual([
      { field: 'status', from: 'Started', to: 'Completed' },
    ])
  })

  it('says which roles a member has, and had before', () => {
    const set = (roles: string[], formerRoles: string[]) =>
      ({ type: 'MemberRolesSet', data: { roles, formerRoles } }) as unknown as AuditedEvent
    const narrowed = set(['Planner'], ['Admin', 'Planner'])
    expect(sentenceOf(narrowed, nothing)).toBe('Member {member} now has the role Planner.')
    expect(changesIn(narrowed, nothing)).toEqual([
      { field: 'roles', from: ['Admin', 'Planner'], to: ['Planner'] },
    ])
    expect(changesIn(set(['Editor'], []), nothing)).toMatchObject([{ from: null }])
  })

  it('says what an approval was judged by, and lists its findings among the changes', () => {
    const sentence = { text: 'demand-unstated' }
    const unsure = {
      key: 'k3',
      severity: 'Flag',
      code: 'demand-unstated',
      message: 'No grade.',
      sentence,
      orderId: 'o',
    }
    const approved = (data: object) => ({ type: 'BarApproved', data }) as AuditedEvent
    expect(sentenceOf(approved({ findings: [], judgedBy }), nothing)).toBe(
      'The bar was approved (no findings; verdict 1, steel grades 1).',
    )
    const judged = approved({ findings: [unsure], judgedBy })
    expect(sentenceOf(judged, nothing)).toBe('The bar was approved (1 Flag; verdict 1, steel grades 1).')
    expect(changesIn(judged, nothing)).toStrictEqual([
      { field: 'status', from: 'Draft', to: 'Approved' },
      {
        field: 'findings',
        from: null,
        to: [{ severity: 'Flag', code: 'demand-unstated', message: 'No grade.', sentence }],
      },
    ])
  })
})
