import { describe, expect, it } from 'vitest'
import { type AuditedEvent, auditedEvents } from '../../src/domain/aggregates.ts'
import { boundOf, boundOfEvent } from '../../src/domain/eventBounds.ts'
import { storedEvents } from '../golden/golden.ts'

type EventType = AuditedEvent['type']
const types = Object.keys(auditedEvents) as EventType[]
const change = (field: string, from: unknown, to: unknown) => ({ changes: [{ field, from, to }] })

/** Each event that goes one way, with data that leads to less, and data that leads back. */
const oneWay: Partial<Record<EventType, readonly [less: object, back: object]>> = {
  ManualAssignmentsReplaced: [
    { added: [{}], removed: [] },
    { added: [{}], removed: [{}] },
  ],
  TagUpdated: [change('severity', 'Flag', 'Block'), change('severity', 'Block', null)],
  ReleasePolicySet: [
    change('severities/no-certificate', 'Off', 'Block'),
    change('severities/no-certificate', 'Block', 'Flag'),
  ],
  CutStatusChanged: [
    { from: 'Accepted', to: 'Proposed' },
    { from: 'Rejected', to: 'Accepted' },
  ],
  MemberRolesSet: [
    { formerRoles: ['Editor', 'Admin'], roles: ['Editor'] },
    { formerRoles: ['Editor'], roles: ['Planner'] },
  ],
  CompanySettingsSet: [change('longestKeyDays', null, 30), change('longestKeyDays', 30, null)],
}

/** Types that lead only to less: a type of another bound leads back. */
const neverRefused: readonly EventType[] = [
  'BarApprovalWithdrawn',
  'BarCancelled',
  'CertificateRejected',
  'CertificateVoided',
  'CutScrapped',
  'DocumentDeleted',
  'DocumentDetached',
  'MemberKeysNarrowed',
  'MemberRemoved',
  'PersonErased',
  'TagRestored',
  'WebhookDeleted',
]

describe('the bound of a day', () => {
  it.each(types)('of %s refuses no stop, and whatever leads back from one', (type) => {
    const bound = (data: object) => boundOfEvent({ type, data })
    const [less, back] = oneWay[type] ?? []
    if (less && back) {
      expect([bound(less), bound(back)]).toEqual(['none', 'day'])
      return
    }
    const { data } = storedEvents().find(({ event }) => event.type === type)!.event
    if (type === 'BarReverted') {
      expect([bound({ to: 'Draft' }), bound({ to: 'Started' })]).toEqual(['none', 'reserve'])
    } else if (neverRefused.includes(type)) {
      expect(bound(data)).toBe('none')
    } else {
      expect(['reserve', 'day', 'rules']).toContain(bound(data))
    }
  })

  it('lets a policy become only stricter, and settings only narrower', () => {
    const policy = (...changes: [string, unknown, unknown][]) =>
      boundOfEvent({
        type: 'ReleasePolicySet',
        data: { changes: changes.map(([field, from, to]) => ({ field, from, to })) },
      })
    expect(policy(['byExecutionClass/EXC3/no-certificate', null, 'Block'])).toBe('none')
    expect(policy(['byExecutionClass/EXC3/no-certificate', null, 'Flag'])).toBe('day')
    expect(policy(['byExecutionClass/EXC3/no-certificate', 'Block', null])).toBe('day')
    expect(policy(['severities/a', 'Audit', 'Flag'], ['fourEyes', false, true])).toBe('none')
    expect(policy(['severities/a', 'Audit', 'Flag'], ['fourEyes', true, false])).toBe('day')
    expect(policy(['defaultInspectionDocument', null, '3.1'])).toBe('day')
    const settings = (field: string, from: unknown, to: unknown) =>
      boundOfEvent({ type: 'CompanySettingsSet', data: change(field, from, to) })
    expect(settings('cutterIdleMinutes', 30, 5)).toBe('none')
    expect(settings('cutterIdleMinutes', 5, 30)).toBe('day')
    expect(settings('requireIfMatch', false, true)).toBe('none')
    expect(settings('requireIfMatch', true, false)).toBe('day')
  })

  it('of a decision is that of its freest event, so that a stop is recorded with all that comes with it', () => {
    const one = (type: EventType, data: object = {}) => ({ type, data })
    const read = one('BarHeatRead')
    expect(boundOf([read, one('BarCertificateSet'), one('FindingsOverridden')])).toBe('reserve')
    expect(boundOf([read, one('BarCertificateSet'), one('BarApprovalWithdrawn')])).toBe('none')
    expect(boundOf([one('MillCertificateRegistered'), one('RuleAssignmentsReplaced')])).toBe('rules')
    expect(boundOf([one('TagRestored'), one('TagCreated'), one('RulePackSubscribed')])).toBe('rules')
    expect(boundOf([one('BarApproved')])).toBe('day')
  })
})
