import { Map as ImmutableMap } from 'immutable'
import { type AuditedAggregate, eventsAbout } from '../audit/audited.ts'
import type { DecisionContext } from '../kernel/aggregate.ts'
import { changesOf } from '../kernel/changes.ts'
import type { DomainEvent, Stored } from '../kernel/event.ts'
import { conflict, looksLikeAnother } from '../kernel/refusal.ts'
import { lookKey, nameKey } from '../kernel/spellings.ts'
import { sentence } from '../verdict/sentence.ts'

/** All optimisation filter profiles of one company. They share one stream because live names are unique among them. */
function filterProfilesStream(companyId: string): string {
  return `filterProfiles-${companyId}`
}

/** Any JSON object; its meaning is the client's. */
export type Filters = Readonly<Record<string, unknown>>

export interface ProfileContent {
  /** As shown; trimmed. */
  readonly name: string
  readonly filters: Filters
}

export interface ProfileRef {
  readonly companyId: string
  readonly profileId: string
}

export type FilterProfileSaved = DomainEvent<'FilterProfileSaved', ProfileRef & ProfileContent>
export type FilterProfileUpdated = DomainEvent<'FilterProfileUpdated', ProfileRef & ProfileContent>
export type FilterProfileSoftDeleted = DomainEvent<
  'FilterProfileSoftDeleted',
  ProfileRef & { readonly name: string }
>
export type FilterProfileEvent = FilterProfileSaved | FilterProfileUpdated | FilterProfileSoftDeleted

export interface FilterProfile extends ProfileRef, ProfileContent {
  readonly createdBy: string
  readonly lastModifiedBy: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Revision of the profile's own last event. */
  readonly revision: number
}

export interface FilterProfiles {
  /** The live profiles. A deleted one, with its name, is gone for every decision. */
  readonly profiles: ImmutableMap<string, FilterProfile>
  /** The profileId that holds a name, by the look of the name. */
  readonly names: ImmutableMap<string, string>
}

/** Two live profiles may not have the same name key. */
export const profileNameKey = nameKey

/** The most live profiles in a company. */
export const maxProfiles = 200
/** The most bytes of the filters as compact UTF-8 JSON. */
export const maxFilterBytes = 16_384
/** The most levels of the filters, their own object included. */
export const maxFilterDepth = 16

function isDeeperThan(value: unknown, depth: number): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (depth === 0 || Object.values(value).some((member) => isDeeperThan(member, depth - 1)))
  )
}

/** Describe the fault in the size of these filters, if any. */
export function filtersFault(filters: Filters): string | undefined {
  if (isDeeperThan(filters, maxFilterDepth)) return `must not be nested deeper than ${maxFilterDepth}`
  const { length } = new TextEncoder().encode(JSON.stringify(filters))
  return length > maxFilterBytes ? `must not exceed ${maxFilterBytes} bytes as compact JSON` : undefined
}

function without(state: FilterProfiles, profile: FilterProfile): FilterProfiles {
  return {
    profiles: state.profiles.delete(profile.profileId),
    names: state.names.delete(lookKey(profile.name)),
  }
}

function put(state: FilterProfiles, profile: FilterProfile): FilterProfiles {
  const before = state.profiles.get(profile.profileId)
  const { profiles, names } = before ? without(state, before) : state
  return {
    profiles: profiles.set(profile.profileId, profile),
    names: names.set(lookKey(profile.name), profile.profileId),
  }
}

function evolve(state: FilterProfiles, event: Stored<FilterProfileEvent>): FilterProfiles {
  const { metadata, revision } = event
  const touched = { lastModifiedBy: metadata.actor.id, updatedAt: metadata.occurredAt, revision }
  if (event.type === 'FilterProfileSaved') {
    const { companyId, profileId, name, filters } = event.data
    const created = { createdBy: metadata.actor.id, createdAt: metadata.occurredAt }
    return put(state, { companyId, profileId, name, filters, ...created, ...touched })
  }
  const profile = state.profiles.get(event.data.profileId)
  if (!profile) return state
  switch (event.type) {
    case 'FilterProfileUpdated': {
      const { name, filters } = event.data
      return put(state, { ...profile, name, filters, ...touched })
    }
    case 'FilterProfileSoftDeleted':
      return without(state, profile)
    default:
      return state
  }
}

export const filterProfiles: AuditedAggregate<FilterProfiles, FilterProfileEvent> = {
  name: 'filterProfiles',
  streamName: filterProfilesStream,
  initial: { profiles: ImmutableMap(), names: ImmutableMap() },
  evolve,
  events: eventsAbout('filterProfile', 'profileId', {
    FilterProfileSaved: { bound: 'day', tell: ({ name }) => sentence('FilterProfileSaved', { name }) },
    FilterProfileUpdated: { bound: 'day', tell: ({ name }) => sentence('FilterProfileUpdated', { name }) },
    FilterProfileSoftDeleted: {
      bound: 'day',
      tell: ({ name }) => sentence('FilterProfileSoftDeleted', { name }),
    },
  }),
}

function refuseHeldName({ profiles, names }: FilterProfiles, name: string, except?: string): void {
  const profileId = names.get(lookKey(name))
  if (!profileId || profileId === except) return
  const holder = profiles.get(profileId)!
  if (profileNameKey(holder.name) !== profileNameKey(name))
    throw looksLikeAnother(name, holder.name, { profileId })
  throw conflict(
    'profile-name-taken',
    `There is a filter profile named “${name}” already, so nothing was recorded. Choose another name.`,
    { profileId },
  )
}

export function saveProfile(
  state: FilterProfiles,
  companyId: string,
  content: ProfileContent,
  { newId }: DecisionContext,
): readonly FilterProfileEvent[] {
  refuseHeldName(state, content.name)
  if (state.profiles.size >= maxProfiles)
    throw conflict(
      'too-many-profiles',
      `A company has at most ${maxProfiles} filter profiles, so nothing was recorded. Delete one that is not used any more.`,
    )
  return [{ type: 'FilterProfileSaved', data: { companyId, profileId: newId(), ...content } }]
}

export function updateProfile(
  state: FilterProfiles,
  profile: FilterProfile,
  content: ProfileContent,
): readonly FilterProfileEvent[] {
  const { companyId, profileId } = profile
  refuseHeldName(state, content.name, profileId)
  if (changesOf<ProfileContent>(profile, content).length === 0) return []
  return [{ type: 'FilterProfileUpdated', data: { companyId, profileId, ...content } }]
}

export function softDeleteProfile({
  companyId,
  profileId,
  name,
}: FilterProfile): readonly FilterProfileEvent[] {
  return [{ type: 'FilterProfileSoftDeleted', data: { companyId, profileId, name } }]
}
