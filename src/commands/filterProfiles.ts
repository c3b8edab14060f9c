import type {
  FilterProfile,
  FilterProfileEvent,
  FilterProfiles,
  ProfileContent,
  ProfileRef,
} from '../domain/filterProfiles.ts'
import * as profiles from '../domain/filterProfiles.ts'
import { type AddressedRecord, type Command, onRecord, onStream } from './command.ts'

/** A filter profile as it is answered. */
export interface ProfileRecord extends ProfileRef, ProfileContent {
  readonly createdBy: string
  readonly lastModifiedBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

export function saveProfile(companyId: string, content: ProfileContent): Command<ProfileRecord> {
  return onStream<FilterProfiles, FilterProfileEvent, undefined, ProfileRecord>({
    aggregate: profiles.filterProfiles,
    id: companyId,
    decide: (state, context) => profiles.saveProfile(state, companyId, content, context),
    // Saving always records, so the event names the profile.
    answer: (state, [saved]) => answered(state.profiles.get(saved!.data.profileId)!),
  })
}

export function updateProfile(ref: ProfileRef, content: ProfileContent): Command<ProfileRecord> {
  return onRecord({
    aggregate: profiles.filterProfiles,
    id: ref.companyId,
    record: addressed(ref),
    decide: ({ profile, state }) => profiles.updateProfile(state, profile, content),
    answer: ({ profile }) => answered(profile),
  })
}

export function softDeleteProfile(ref: ProfileRef): Command<undefined> {
  return onRecord({
    aggregate: profiles.filterProfiles,
    id: ref.companyId,
    record: addressed(ref),
    decide: ({ profile }) => profiles.softDeleteProfile(profile),
  })
}

interface FoundProfile {
  readonly profile: FilterProfile
  readonly state: FilterProfiles
  readonly revision: number
}

function addressed({ profileId }: ProfileRef): AddressedRecord<FilterProfiles, FoundProfile> {
  return {
    noun: 'filter profile',
    id: profileId,
    find: (state) => {
      const profile = state.profiles.get(profileId)
      return profile && { profile, state, revision: profile.revision }
    },
  }
}

function answered({ revision, ...profile }: FilterProfile) {
  return { body: profile, etag: revision }
}
