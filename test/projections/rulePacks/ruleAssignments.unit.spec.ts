import { describe, expect, it } from 'vitest'
import {
  certificateSubject,
  type MillCertificateEvent,
  millCertificate,
} from '../../../src/domain/certificates/certificate.ts'
import { fold } from '../../../src/domain/kernel/aggregate.ts'
import { systemTagIdOf } from '../../../src/domain/kernel/identifiers.ts'
import { addedBy, type RuleAssignmentsReplaced } from '../../../src/domain/rulePacks/ruleAssignments.ts'
import {
  subscribeRulePack,
  unsubscribeRulePack,
} from '../../../src/domain/rulePacks/rulePackSubscriptions.ts'
import type { CatalogueEvent } from '../../../src/domain/tags/catalogueEvents.ts'
import { assignTags, evaluateByRules } from '../../../src/domain/tags/subject.ts'
import { tagCatalogue } from '../../../src/domain/tags/tagCatalogue.ts'
import { explanations } from '../../../src/projections/rulePacks/explanations.ts'
import { rulePacks } from '../../../src/projections/rulePacks/rulePacks.ts'
import { history } from '../../../src/projections/tags/history.ts'
import { tags } from '../../../src/projections/tags/tags.ts'
import { certificateIdentity, certificateRegistered } from '../../domain/verdict/facts.ts'
import { alice, companyId, contextOf, id, rowsOf, stored, timeOf } from '../../support/given.ts'
import { type PlainRule, packOffer, ruleBookOf, systemTag, type Verdict } from '../../support/rules.ts'

/** A certificate's story, made by the decisions themselves: what rules say of it comes, changes and goes. */

const offer = packOffer({ tags: [systemTag('thick'), systemTag('thin')] })
const [thick, thin] = ['thick', 'thin'].map((key) => systemTagIdOf(companyId, 'house', key)) as [
  string,
  string,
]
const { millCertificationId: subjectId, certificateNumber: subjectLabel } = certificateIdentity
const rule = (ruleId: string, tag: string, verdict: Verdict): PlainRule => ({
  ruleId,
  tag,
  says: () => verdict,
})

const subscribing = subscribeRulePack(tagCatalogue.initial, companyId, offer)
const subscribed = fold(tagCatalogue, tagCatalogue.initial, stored([...subscribing]))
const unsubscribing = unsubscribeRulePack(subscribed, companyId, 'house')
const unsubscribed = fold(tagCatalogue, subscribed, stored([...subscribing, ...unsubscribing]))

const evaluated = (
  before: readonly MillCertificateEvent[],
  catalogue: typeof subscribed,
  ...rules: PlainRule[]
) => {
  const state = fold(millCertificate, undefined, stored([...before]))!
  return evaluateByRules(certificateSubject, state, catalogue, contextOf(alice, ruleBookOf({ offer, rules })))
}
const registered = [certificateRegistered()]
const matched = [
  ...registered,
  ...evaluated(
    registered,
    subscribed,
    rule('a', 'thick', true),
    rule('b', 'thick', true),
    rule('c', 'thin', 'no thickness'),
  ),
]
const corrected = [
  ...matched,
  ...evaluated(matched, subscribed, rule('b', 'thick', true), rule('c', 'thin', true)),
]
const cleared = [...corrected, ...evaluated(corrected, unsubscribed)]

const all = (of: readonly MillCertificateEvent[], more: readonly CatalogueEvent[] = []) => [
  ...subscribing,
  ...of,
  ...more,
]
const usage = (...events: Parameters<typeof rowsOf>[1][]) =>
  rowsOf(tags, ...events).tagUsage!.map(({ tagId, usageCount }) => [tagId, usageCount])
const pairs = (...events: Parameters<typeof rowsOf>[1][]) =>
  rowsOf(tags, ...events).assignment!.map(({ tagId, ruleId }) => [tagId, ruleId])

describe('tags', () => {
  it('have each assignment as the event has it, with its revision', () => {
    const [event] = evaluated(registered, subscribed, rule('a', 'thick', true))
    const { assignment } = rowsOf(tags, ...subscribing, ...registered, event!)
    const added = addedBy(event!.data as RuleAssignmentsReplaced['data'])
    expect(assignment).toStrictEqual(
      added.map(({ clause: _, values: _values, ...one }) => ({
        companyId,
        family: 'millCert',
        subjectId,
        ...one,
        revision: 1,
      })),
    )
  })

  it('show an assignment for each rule, and count the subject once', () => {
    expect(pairs(...all(matched))).toStrictEqual([
      [thick, 'a'],
      [thick, 'b'],
    ])
    expect(usage(...all(matched))).toStrictEqual([
      [thick, 1],
      [thin, 0],
    ])
  })

  it('follow what rules say next, and lose all of it in the end', () => {
    expect(pairs(...all(corrected))).toStrictEqual([
      [thick, 'b'],
      [thin, 'c'],
    ])
    expect(usage(...all(corrected)).map(([, count]) => count)).toStrictEqual([1, 1])
    expect(pairs(...all(cleared))).toStrictEqual([])
    expect(usage(...all(cleared)).map(([, count]) => count)).toStrictEqual([0, 0])
  })

  it('keep what is assigned by hand apart', () => {
    const state = fold(millCertificate, undefined, stored(corrected))!
    const byHand = [...corrected, ...assignTags(certificateSubject, state, [thick], contextOf())]
    expect(pairs(...all(byHand))).toStrictEqual([
      [thick, 'b'],
      [thin, 'c'],
      [thick, ''],
    ])
    const left = [...byHand, ...evaluated(byHand, unsubscribed)]
    expect(pairs(...all(left))).toStrictEqual([[thick, '']])
    expect(usage(...all(left)).map(([, count]) => count)).toStrictEqual([1, 0])
  })
})

describe('explanations', () => {
  const finding = (n: number, ruleId: string, tagId: string, reason: string | null = null) => ({
    companyId,
    family: 'millCert',
    subjectId,
    rulePackId: 'house',
    ruleId,
    tagId,
    rulePackVersion: 1,
    hash: 'hash 1',
    result: reason ? 'not-evaluated' : 'matched',
    reason,
    clause: reason ? null : `Clause of ${ruleId}`,
    values: reason ? null : { seen: 'true' },
    evaluatedAt: timeOf(n),
  })

  it('name the rule, with the values that a match saw, and when', () => {
    expect(rowsOf(explanations, ...matched).finding).toStrictEqual([
      finding(1, 'a', thick),
      finding(1, 'b', thick),
      finding(1, 'c', thin, 'no thickness'),
    ])
  })

  it('go with the reason', () => {
    expect(rowsOf(explanations, ...corrected).finding).toStrictEqual([
      finding(2, 'b', thick),
      finding(2, 'c', thin),
    ])
    expect(rowsOf(explanations, ...cleared).finding).toStrictEqual([])
  })
})

it("a tag's history names the pack, the rule, and what it saw", () => {
  const entry = (
    n: number,
    ordinal: number,
    tagId: string,
    changeType: string,
    ruleId: string,
    changes: object[],
  ) =>
    expect.objectContaining({
      tagId,
      changeType,
      assignedByRuleId: ruleId,
      ordinal,
      changes,
      position: 10 * (n + 1),
      changedById: 'house',
      changedByName: 'House rules',
      changedAt: timeOf(n),
      changedByPerson: false,
      changedByNameHash: null,
      eventId: id(1_000 + n),
      entityType: 'MillCertification',
      entityId: subjectId,
      entityLabel: subjectLabel,
    })
  const version = { field: 'rulePackVersion', from: null, to: 1 }
  const why = (ruleId: string) => [
    version,
    { field: 'clause', from: null, to: `Clause of ${ruleId}` },
    { field: 'values', from: null, to: { seen: 'true' } },
  ]
  expect(rowsOf(history, ...cleared).tagHistory).toEqual([
    entry(1, 0, thick, 'Assigned', 'a', why('a')),
    entry(1, 1, thick, 'Assigned', 'b', why('b')),
    entry(2, 0, thin, 'Assigned', 'c', why('c')),
    entry(2, 1, thick, 'Unassigned', 'a', [version]),
    entry(3, 0, thick, 'Unassigned', 'b', [version]),
    entry(3, 1, thin, 'Unassigned', 'c', [version]),
  ])
})

it('rule packs show the last decision on each', () => {
  const row = {
    companyId,
    rulePackId: 'house',
    name: 'House rules',
    version: 1,
    tagIds: { thick, thin },
    parameters: null,
    pairRules: [],
  }
  expect(rowsOf(rulePacks, ...subscribing).rulePack).toStrictEqual([
    { ...row, subscribed: true, revision: 2, eventId: id(1_002) },
  ])
  expect(rowsOf(rulePacks, ...subscribing, ...unsubscribing).rulePack).toStrictEqual([
    { ...row, subscribed: false, revision: 5, eventId: id(1_005) },
  ])
})
