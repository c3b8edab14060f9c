import { describe, expect, it } from 'vitest'
import { fold } from '../../../src/domain/kernel/aggregate.ts'
import { systemTagIdOf } from '../../../src/domain/kernel/identifiers.ts'
import type { RulePackOffer } from '../../../src/domain/rulePacks/ruleBook.ts'
import {
  subscribeRulePack,
  unsubscribeRulePack,
  upgradeRulePack,
  validateRulePack,
} from '../../../src/domain/rulePacks/rulePackSubscriptions.ts'
import type { CatalogueEvent } from '../../../src/domain/tags/catalogueEvents.ts'
import {
  createTag,
  findTag,
  holderOf,
  type TagCatalogue,
  tagCatalogue,
  updateTag,
} from '../../../src/domain/tags/tagCatalogue.ts'
import { companyId, contextOf, given, id, stored } from '../../support/given.ts'
import { packOffer, systemTag } from '../../support/rules.ts'
import { tagContent, tagCreated, tagSoftDeleted } from '../verdict/facts.ts'

const tags = [systemTag('thick'), systemTag('late', { family: 'order', severity: 'Flag' })]
const pack = packOffer({ tags })
function tagIdOf(key: string) {
  return systemTagIdOf(companyId, 'house', key)
}

function subscribe(offer: RulePackOffer) {
  return (state: TagCatalogue) => subscribeRulePack(state, companyId, offer)
}

function upgrade(offer: RulePackOffer) {
  return (state: TagCatalogue) => upgradeRulePack(state, companyId, offer)
}

function unsubscribe(state: TagCatalogue) {
  return unsubscribeRulePack(state, companyId, 'house')
}

function refOf(key: string) {
  const { family } = tags.find((tag) => tag.key === key) ?? { family: 'millCert' }
  return { companyId, family, tagId: tagIdOf(key) } as const
}

function created(key: string, tag = tags.find((one) => one.key === key)!): CatalogueEvent {
  const { name, color, description, severity } = tag
  return {
    type: 'TagCreated',
    data: { ...refOf(key), family: tag.family, name, color, description, severity, isSystemTag: true },
  }
}

function deleted(key: string): CatalogueEvent {
  return {
    type: 'TagSoftDeleted',
    data: { ...refOf(key), name: `Tag ${key}` },
  }
}

function restored(key: string): CatalogueEvent {
  return {
    type: 'TagRestored',
    data: { ...refOf(key), name: `Tag ${key}` },
  }
}

const data = { companyId, rulePackId: 'house', name: 'House rules', version: 1, hash: 'hash 1' }
const tagIds = { thick: tagIdOf('thick'), late: tagIdOf('late') }
const subscribed: CatalogueEvent = { type: 'RulePackSubscribed', data: { ...data, tagIds } }
const unsubscribed: CatalogueEvent = { type: 'RulePackUnsubscribed', data: { ...data, tagIds } }

const begun = [created('thick'), created('late'), subscribed]
const ended = [...begun, deleted('thick'), deleted('late'), unsubscribed]

describe('subscribing', () => {
  it('records all tags of the pack, and then the subscription', () =>
    given(tagCatalogue)
      .when(subscribe(pack))
      .records(...begun))

  it('records nothing for a repeat, whatever version is shipped now', () => {
    given(tagCatalogue, ...begun)
      .when(subscribe(pack))
      .recordsNothing()
    given(tagCatalogue, ...begun)
      .when(subscribe(packOffer({ version: 2, hash: 'hash 2' })))
      .recordsNothing()
  })

  it('restores the same tags under the same ids after unsubscribing', () =>
    given(tagCatalogue, ...ended)
      .when(subscribe(pack))
      .records(restored('thick'), restored('late'), subscribed))

  it('updates the tags that it restores', () => {
    const redder = { ...tags[0]!, color: '#FF0000' }
    const { name, color, description, severity } = redder
    given(tagCatalogue, ...ended)
      .when(subscribe(packOffer({ tags: [redder, tags[1]!] })))
      .records(
        restored('thick'),
        {
          type: 'TagUpdated',
          data: {
            ...refOf('thick'),
            name,
            color,
            description,
            severity,
            changes: [{ field: 'color', from: '#B00020', to: '#FF0000' }],
          },
        },
        restored('late'),
        subscribed,
      )
  })

  it('is refused as a whole when tag names are taken, and the refusal names all of them', () =>
    given(
      tagCatalogue,
      tagCreated(id(1), { name: 'TAG  thick' }),
      tagCreated(id(2), { name: 'tag late', family: 'order' }),
      tagSoftDeleted(id(2), 'tag late', 'order'),
    )
      .when(subscribe(pack))
      .refuses('tag-name-taken', {
        clashes: [
          { family: 'millCert', name: 'TAG  thick', tagId: id(1) },
          { family: 'order', name: 'tag late', tagId: id(2) },
        ],
      }))

  it('allows a name that the other family has', () =>
    given(tagCatalogue, tagCreated(id(1), { name: 'Tag late' }))
      .when(subscribe(pack))
      .records(...begun))

  it('is refused when the company would exceed its maximum of tags', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => tagCreated(id(n), { name: `${n}` }))
    given(tagCatalogue, ...many)
      .when(subscribe(pack))
      .refuses('too-many-tags')
    given(tagCatalogue, ...many.slice(1))
      .when(subscribe(pack))
      .records(...begun)
  })

  it('reserves the names: creating a tag with such a name is refused', () =>
    given(tagCatalogue, ...begun)
      .when((state, context) =>
        createTag(
          state,
          { companyId, family: 'millCert', content: tagContent({ name: 'tag THICK' }) },
          context,
        ),
      )
      .refuses('tag-name-taken', { tagId: tagIdOf('thick') }))

  it('keeps the names of the tags of a former pack, and names that pack', () => {
    const other = { ...pack, rulePackId: 'other' }
    const messageOf = (decide: (state: TagCatalogue) => unknown) => {
      try {
        decide(fold(tagCatalogue, tagCatalogue.initial, stored(ended)))
      } catch (error) {
        return (error as Error).message
      }
      return undefined
    }
    expect(messageOf(subscribe(other))).toMatch(/“Tag thick” \(a tag of the rule pack house\)/)
    const content = tagContent({ name: 'tag THICK' })
    expect(
      messageOf((state) => createTag(state, { companyId, family: 'millCert', content }, contextOf())),
    ).toMatch(/“Tag thick” \(a tag of the rule pack house\) holds the name.*Choose another name/)
    expect(messageOf(subscribe(pack))).toBeUndefined()
  })

  it('creates tags that a user cannot change', () =>
    given(tagCatalogue, ...begun)
      .when((state) => updateTag(state, findTag(state, 'millCert', tagIdOf('thick'))!, tagContent()))
      .refuses('system-tag-read-only'))
})

describe('unsubscribing', () => {
  it('soft-deletes the tags', () =>
    given(tagCatalogue, ...begun)
      .when(unsubscribe)
      .records(deleted('thick'), deleted('late'), unsubscribed))

  it('records nothing for a pack that is not subscribed to', () => {
    given(tagCatalogue).when(unsubscribe).recordsNothing()
    given(tagCatalogue, ...ended)
      .when(unsubscribe)
      .recordsNothing()
  })
})

describe('a validation', () => {
  const said = { by: 'Q. Manager', edition: 'EN 10025-2:2019', date: '2026-03-02', note: null }
  const { companyId, rulePackId, name } = data
  const validated = (version: number): CatalogueEvent => ({
    type: 'RulePackValidated',
    data: { companyId, rulePackId, name, version, ...said },
  })
  const validate = (asked: typeof said) => (state: TagCatalogue) =>
    validateRulePack(state, companyId, packOffer({ tags, version: 2 }), asked)

  it('is of the version in force, or of the newest without a subscription', () => {
    given(tagCatalogue).when(validate(said)).records(validated(2))
    given(tagCatalogue, subscribed).when(validate(said)).records(validated(1))
  })

  it('records nothing when it is repeated, and something when it says another edition', () => {
    const past = given(tagCatalogue, validated(2))
    past.when(validate(said)).recordsNothing()
    const newer = { ...said, edition: 'EN 10025-2:2026' }
    const { data: of } = validated(2)
    past.when(validate(newer)).records({ type: 'RulePackValidated', data: { ...of, ...newer } as never })
  })
})

describe('upgrading', () => {
  const next = packOffer({ version: 2, hash: 'hash 2', tags: [systemTag('thick'), systemTag('thin')] })
  const upgraded: CatalogueEvent = {
    type: 'RulePackUpgraded',
    data: {
      ...data,
      version: 2,
      hash: 'hash 2',
      fromVersion: 1,
      tagIds: { thick: tagIdOf('thick'), thin: tagIdOf('thin') },
    },
  }

  it('creates new tags, and soft-deletes tags that the pack no longer has', () =>
    given(tagCatalogue, ...begun)
      .when(upgrade(next))
      .records(created('thin', systemTag('thin')), deleted('late'), upgraded))

  it('records nothing for the version in force', () =>
    given(tagCatalogue, ...begun)
      .when(upgrade(pack))
      .recordsNothing())

  it('distinguishes two documents of one version', () =>
    given(tagCatalogue, ...begun)
      .when(upgrade({ ...pack, hash: 'another' }))
      .records({
        type: 'RulePackUpgraded',
        data: { ...data, hash: 'another', tagIds, fromVersion: 1 },
      }))

  it('is refused to an older version', () =>
    given(tagCatalogue, ...begun, created('thin', systemTag('thin')), deleted('late'), upgraded)
      .when(upgrade(pack))
      .refuses('rule-pack-newer', { subscribedVersion: 2, version: 1 }))

  it('is refused without a subscription', () => {
    given(tagCatalogue).when(upgrade(pack)).refuses('rule-pack-not-subscribed')
    given(tagCatalogue, ...ended)
      .when(upgrade(pack))
      .refuses('rule-pack-not-subscribed')
  })

  it('is refused as a whole when a name is taken', () =>
    given(tagCatalogue, ...begun, tagCreated(id(1), { name: 'Tag thin' }))
      .when(upgrade(next))
      .refuses('tag-name-taken', { clashes: [{ family: 'millCert', name: 'Tag thin', tagId: id(1) }] }))

  it('lets two of its tags swap their names', () => {
    const two = packOffer({ tags: [systemTag('a', { name: 'X' }), systemTag('b', { name: 'Y' })] })
    const swapped = packOffer({
      version: 2,
      hash: 'hash 2',
      tags: [systemTag('a', { name: 'Y' }), systemTag('b', { name: 'X' })],
    })
    const first = subscribeRulePack(tagCatalogue.initial, companyId, two)
    const state = fold(tagCatalogue, tagCatalogue.initial, stored([...first]))
    const events = [...first, ...upgradeRulePack(state, companyId, swapped)]
    const after = fold(tagCatalogue, tagCatalogue.initial, stored(events))
    expect(holderOf(after, 'millCert', 'y')?.tagId).toBe(tagIdOf('a'))
    expect(holderOf(after, 'millCert', 'x')?.tagId).toBe(tagIdOf('b'))
    expect(after.names.size).toBe(2)
    for (const name of ['x', 'Y'])
      expect(() =>
        createTag(after, { companyId, family: 'millCert', content: tagContent({ name }) }, contextOf()),
      ).toThrow()
  })
})

it('folds to the version in force, with the revision that decided it', () => {
  const { state } = given(tagCatalogue, ...ended)
  expect(state.subscriptionRevision).toBe(5)
  const { companyId: _, ...rest } = unsubscribed.data as typeof data & { tagIds: object }
  expect(state.subscriptions.get('house')).toStrictEqual({ ...rest, active: false, revision: 5 })
  expect(given(tagCatalogue, ...begun).state.subscriptions.get('house')?.active).toBe(true)
})

describe('parameters', () => {
  const edition = { description: 'Edition.', enum: ['2018', '2008'], default: '2018' }
  const choosing = packOffer({ tags: [], choices: { edition } })
  const choose =
    (parameters?: Record<string, string>, offer = choosing) =>
    (state: TagCatalogue) =>
      subscribeRulePack(state, companyId, offer, parameters)
  const chosen = (value: string): CatalogueEvent => ({
    type: 'RulePackSubscribed',
    data: { ...data, tagIds: {}, parameters: { edition: value } },
  })
  const upgraded = (value: string): CatalogueEvent => ({
    type: 'RulePackUpgraded',
    data: { ...data, tagIds: {}, parameters: { edition: value }, fromVersion: 1 },
  })

  it('have their defaults unless they are chosen', () => {
    given(tagCatalogue).when(choose()).records(chosen('2018'))
    given(tagCatalogue)
      .when(choose({ edition: '2008' }))
      .records(chosen('2008'))
  })

  it('change by subscribing again, and stay when they are left out', () => {
    given(tagCatalogue, chosen('2018'))
      .when(choose({ edition: '2008' }))
      .records(upgraded('2008'))
    given(tagCatalogue, chosen('2018'), upgraded('2008')).when(choose()).recordsNothing()
    given(tagCatalogue, chosen('2018'), upgraded('2008'))
      .when(choose({ edition: '2008' }))
      .recordsNothing()
  })

  it('must be ones that the pack offers', () => {
    const refused = (name: string, code: string) => ({
      errors: [{ path: `/parameters/${name}`, code, message: expect.any(String) }],
    })
    given(tagCatalogue)
      .when(choose({ edition: '2011' }))
      .refuses('validation-failed', refused('edition', 'not-one-of'))
    given(tagCatalogue)
      .when(choose({ part: '1' }))
      .refuses('validation-failed', refused('part', 'unknown-member'))
    given(tagCatalogue, subscribed)
      .when(choose({ edition: '2008' }, pack))
      .refuses('validation-failed', refused('edition', 'unknown-member'))
  })

  it('may be named like a member that every object has', () => {
    const offer = packOffer({ tags: [], choices: { constructor: edition } })
    const subscribedTo = (value: string): CatalogueEvent => ({
      type: 'RulePackSubscribed',
      data: { ...data, tagIds: {}, parameters: { constructor: value } },
    })
    given(tagCatalogue).when(choose({}, offer)).records(subscribedTo('2018'))
    given(tagCatalogue, subscribedTo('2008'))
      .when((state) => upgradeRulePack(state, companyId, { ...choosing, version: 2 }))
      .records({
        type: 'RulePackUpgraded',
        data: { ...data, version: 2, tagIds: {}, fromVersion: 1, parameters: { edition: '2018' } },
      })
  })

  it('are kept by an upgrade, as far as the new version offers them', () => {
    const next = { ...choosing, version: 2, hash: 'hash 2' }
    const to = (parameters: object) => ({
      type: 'RulePackUpgraded' as const,
      data: { ...data, version: 2, hash: 'hash 2', tagIds: {}, fromVersion: 1, ...parameters },
    })
    given(tagCatalogue, chosen('2008'))
      .when((state) => upgradeRulePack(state, companyId, next))
      .records(to({ parameters: { edition: '2008' } }))
    given(tagCatalogue, chosen('2008'))
      .when((state) => upgradeRulePack(state, companyId, { ...next, choices: undefined }))
      .records(to({}))
  })
})

describe('a tag that all packs share', () => {
  const shared = systemTag('not-judged', { name: 'Not judged' })
  const house = packOffer({ tags: [shared] })
  const yard = packOffer({ rulePackId: 'yard', name: 'Yard', tags: [shared] })
  const tagId = systemTagIdOf(companyId, 'house', 'not-judged')
  const ofHouse: CatalogueEvent = {
    type: 'RulePackSubscribed',
    data: { ...data, tagIds: { 'not-judged': tagId } },
  }
  const ofYard: CatalogueEvent = {
    type: 'RulePackSubscribed',
    data: { ...data, rulePackId: 'yard', name: 'Yard', tagIds: { 'not-judged': tagId } },
  }
  const { key: _, ...content } = shared
  const provided: CatalogueEvent = {
    type: 'TagCreated',
    data: { companyId, tagId, ...content, isSystemTag: true },
  }

  it('is created with the first subscription, and goes with the last', () => {
    given(tagCatalogue)
      .when((state) => subscribeRulePack(state, companyId, house))
      .records(provided, ofHouse)
    given(tagCatalogue, provided, ofHouse)
      .when((state) => subscribeRulePack(state, companyId, yard))
      .records(ofYard)
    const leaves = (rulePackId: string) => (state: TagCatalogue) =>
      unsubscribeRulePack(state, companyId, rulePackId).map(({ type }) => type)
    const both = fold(tagCatalogue, tagCatalogue.initial, stored([provided, ofHouse, ofYard]))
    expect(leaves('house')(both)).toEqual(['RulePackUnsubscribed'])
    const one = fold(tagCatalogue, tagCatalogue.initial, stored([provided, ofHouse]))
    expect(leaves('house')(one)).toEqual(['TagSoftDeleted', 'RulePackUnsubscribed'])
  })
})
