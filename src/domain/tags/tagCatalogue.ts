import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable'
import type { AuditedAggregate } from '../audit/audited.ts'
import type { DecisionContext } from '../kernel/aggregate.ts'
import { changesOf } from '../kernel/changes.ts'
import type { Stored } from '../kernel/event.ts'
import { pick } from '../kernel/fields.ts'
import { conflict, looksLikeAnother } from '../kernel/refusal.ts'
import { lookKey } from '../kernel/spellings.ts'
import type { PairRule } from '../rulePacks/pairRules.ts'
import type { Parameters, RulePackVersion } from '../rulePacks/ruleBook.ts'
import type { CatalogueEvent, RulePackEvent, TagEvent, Validation } from './catalogueEvents.ts'
import { catalogueEvents } from './catalogueEvents.ts'
import { type Family, type TagContent, type TagRef, tagFields, tagNameKey } from './tag.ts'

/**
 * All tags of one company, in both families. They share one stream because names are unique among them, and because a
 * rule pack provisions all of its tags or none.
 */
export function catalogueStream(companyId: string): string {
  return `tags-${companyId}`
}

/** The last decision of a company on a pack. */
export interface Subscription extends RulePackVersion {
  readonly active: boolean
  readonly tagIds: Readonly<Record<string, string>>
  readonly parameters?: Parameters | undefined
  readonly cost?: number | undefined
  readonly pairRules?: readonly PairRule[] | undefined
  /** Revision of the event that decided it. */
  readonly revision: number
}

export interface Tag extends TagRef, TagContent {
  readonly active: boolean
  readonly isSystemTag: boolean
  readonly lastModifiedBy: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Revision of the tag's own last event. */
  readonly revision: number
}

export interface TagCatalogue {
  readonly tags: ImmutableMap<string, Tag>
  /** The tagId that holds a name, by family and the look of the name. */
  readonly names: ImmutableMap<string, string>
  readonly count: Readonly<Record<Family, number>>
  /** By rulePackId: present and former subscriptions. */
  readonly subscriptions: ImmutableMap<string, Subscription>
  /** By rulePackId: the last validation of each pack. */
  readonly validations: ImmutableMap<string, Validation>
  /** The ids of the rule packs that the company has written itself. */
  readonly ownRulePacks: ImmutableSet<string>
  /** Revision of the last event on a subscription; -1 before the first. */
  readonly subscriptionRevision: number
}

function keyIn(family: Family, name: string): string {
  return `${family}:${lookKey(name)}`
}

/** The most tags of a family in a company, deleted ones included. */
export const maxTags = 2_000

function put(state: TagCatalogue, tag: Tag): TagCatalogue {
  const before = state.tags.get(tag.tagId)
  const tags = state.tags.set(tag.tagId, tag)
  if (before?.name === tag.name) return { ...state, tags }
  const formerName = before && keyIn(before.family, before.name)
  // Two tags of a rule pack may swap names, so the former name may belong to the other tag by now.
  const isOurs = formerName !== undefined && state.names.get(formerName) === tag.tagId
  const names = isOurs ? state.names.delete(formerName) : state.names
  return {
    ...state,
    tags,
    names: names.set(keyIn(tag.family, tag.name), tag.tagId),
    count: before ? state.count : { ...state.count, [tag.family]: state.count[tag.family] + 1 },
  }
}

function applyDecision(state: TagCatalogue, { type, data, revision }: Stored<RulePackEvent>): TagCatalogue {
  const { rulePackId, name, version, hash, tagIds, parameters, cost, pairRules } = data
  const active = type !== 'RulePackUnsubscribed'
  const subscription = {
    rulePackId,
    name,
    version,
    hash,
    active,
    tagIds,
    revision,
    ...(parameters && { parameters }),
    ...(cost !== undefined && { cost }),
    ...(pairRules && { pairRules }),
  }
  return {
    ...state,
    subscriptions: state.subscriptions.set(rulePackId, subscription),
    subscriptionRevision: revision,
  }
}

function evolve(state: TagCatalogue, event: Stored<CatalogueEvent>): TagCatalogue {
  if (
    event.type === 'RulePackSubscribed' ||
    event.type === 'RulePackUpgraded' ||
    event.type === 'RulePackUnsubscribed'
  )
    return applyDecision(state, event)
  if (event.type === 'OwnRulePackAdded')
    return { ...state, ownRulePacks: state.ownRulePacks.add(event.data.rulePackId) }
  if (event.type === 'OwnRulePackWithdrawn')
    return { ...state, ownRulePacks: state.ownRulePacks.delete(event.data.rulePackId) }
  if (event.type === 'RulePackValidated') {
    const { companyId: _, rulePackId, name: __, ...validation } = event.data
    return { ...state, validations: state.validations.set(rulePackId, validation) }
  }
  const { metadata, revision } = event
  const touched = { lastModifiedBy: metadata.actor.id, updatedAt: metadata.occurredAt, revision }
  if (event.type === 'TagCreated') {
    const { companyId, family, tagId, isSystemTag } = event.data
    const content = pick(tagFields, event.data)
    const created = { createdAt: metadata.occurredAt, isSystemTag, active: true }
    return put(state, { companyId, family, tagId, ...content, ...created, ...touched })
  }
  const tag = state.tags.get(event.data.tagId)
  if (!tag) return state
  switch (event.type) {
    case 'TagUpdated':
      return put(state, { ...tag, ...pick(tagFields, event.data), ...touched })
    case 'TagSoftDeleted':
      return put(state, { ...tag, active: false, ...touched })
    case 'TagRestored':
      return put(state, { ...tag, active: true, ...touched })
    default:
      return state
  }
}

export const tagCatalogue: AuditedAggregate<TagCatalogue, CatalogueEvent> = {
  name: 'tagCatalogue',
  streamName: catalogueStream,
  initial: {
    tags: ImmutableMap(),
    names: ImmutableMap(),
    count: { millCert: 0, order: 0 },
    subscriptions: ImmutableMap(),
    validations: ImmutableMap(),
    ownRulePacks: ImmutableSet(),
    subscriptionRevision: -1,
  },
  evolve,
  events: catalogueEvents,
}

/** Find a tag of this family, active or deleted. */
export function findTag(state: TagCatalogue, family: Family, tagId: string): Tag | undefined {
  const tag = state.tags.get(tagId)
  return tag?.family === family ? tag : undefined
}

/** Find the tag that holds this name in any spelling, or one that looks like it, active or deleted. */
export function holderOf(state: TagCatalogue, family: Family, name: string): Tag | undefined {
  return state.tags.get(state.names.get(keyIn(family, name)) ?? '')
}

/** Return the name of a tag and the rule pack that it comes from. */
export function holderInWords({ subscriptions }: TagCatalogue, { tagId, name, isSystemTag }: Tag): string {
  if (!isSystemTag) return `“${name}”`
  const rulePackId = subscriptions.findKey(({ tagIds }) => Object.values(tagIds).includes(tagId))
  return rulePackId === undefined
    ? `“${name}” (a former tag of a rule pack)`
    : `“${name}” (a tag of the rule pack ${rulePackId})`
}

function refuseHeldName(state: TagCatalogue, family: Family, name: string, except?: string): void {
  const holder = holderOf(state, family, name)
  if (!holder || holder.tagId === except) return
  const details = { tagId: holder.tagId }
  if (tagNameKey(holder.name) !== tagNameKey(name)) throw looksLikeAnother(name, holder.name, details)
  if (holder.active)
    throw conflict(
      'tag-name-taken',
      `There is a tag named “${holder.name}” already, so nothing was recorded. Choose another name, or use that tag.`,
      details,
    )
  if (holder.isSystemTag)
    throw conflict(
      'tag-name-soft-deleted',
      `${holderInWords(state, holder)} holds the name, and comes back with its rule pack, so nothing was recorded. Choose another name.`,
      details,
    )
  throw conflict(
    'tag-name-soft-deleted',
    `A soft-deleted tag holds the name “${holder.name}”, so nothing was recorded. Restore it, or choose another name.`,
    details,
  )
}

/** @throws Refusal `too-many-tags` when the family has no room for `more` tags */
export function refuseTooManyTags({ count }: TagCatalogue, family: Family, more: number): void {
  if (more > 0 && count[family] + more > maxTags)
    throw conflict(
      'too-many-tags',
      `A company has at most ${maxTags} tags of a family, deleted ones included, so nothing was recorded. Restore a deleted tag and rename it.`,
    )
}

function refuseSystemTag(tag: Tag): void {
  if (tag.isSystemTag)
    throw conflict(
      'system-tag-read-only',
      `“${tag.name}” comes from a rule pack, which alone changes it, so nothing was recorded. Create a tag of your own, or unsubscribe from the pack.`,
    )
}

export function createTag(
  state: TagCatalogue,
  { companyId, family, content }: { companyId: string; family: Family; content: TagContent },
  { newId }: DecisionContext,
): readonly TagEvent[] {
  refuseHeldName(state, family, content.name)
  refuseTooManyTags(state, family, 1)
  return [{ type: 'TagCreated', data: { companyId, family, tagId: newId(), ...content, isSystemTag: false } }]
}

export function updateTag(state: TagCatalogue, tag: Tag, content: TagContent): readonly TagEvent[] {
  refuseSystemTag(tag)
  if (!tag.active)
    throw conflict('tag-deleted', `“${tag.name}” is deleted, so nothing was recorded. Restore it first.`)
  if (content.name !== tag.name) refuseHeldName(state, tag.family, content.name, tag.tagId)
  const changes = changesOf<TagContent>(tag, content)
  if (changes.length === 0) return []
  return [{ type: 'TagUpdated', data: { ...refOf(tag), ...content, changes } }]
}

export function softDeleteTag(tag: Tag): readonly TagEvent[] {
  refuseSystemTag(tag)
  return tag.active ? [{ type: 'TagSoftDeleted', data: { ...refOf(tag), name: tag.name } }] : []
}

export function restoreTag(tag: Tag): readonly TagEvent[] {
  refuseSystemTag(tag)
  return tag.active ? [] : [{ type: 'TagRestored', data: { ...refOf(tag), name: tag.name } }]
}

export function refOf({ companyId, family, tagId }: Tag): TagRef {
  return { companyId, family, tagId }
}
