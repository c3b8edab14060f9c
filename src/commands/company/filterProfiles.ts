import {
  saveProfile as decideToSaveProfile,
  softDeleteProfile as decideToSoftDeleteProfile,
  updateProfile as decideToUpdateProfile,
  type FilterProfile,
  type FilterProfiles,
  filterProfiles,
  type ProfileContent,
  type ProfileRef,
} from '../../domain/company/filterProfiles.ts'
import { type Edit, editedContent } from '../../domain/kernel/edit.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type AddressedRecord, type Command, onRecord, onStream } from '../executor/command.ts'

/** A filter profile as it is answered. */
interface ProfileRecord extends ProfileRef, ProfileContent {
  readonly createdBy: string
  readonly lastModifiedBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

export function saveProfile(companyId: string, content: ProfileContent): Command<ProfileRecord> {
  return onStream({
    aggregate: filterProfiles,
    id: companyId,
    decide: (state, context) => decideToSaveProfile(state, companyId, content, context),
    // Saving always records, so the event names the profile.
    answer: (state, [saved]) => presentProfile(state.profiles.get(saved!.data.profileId)!),
  })
}
saveProfile.refuses = refusals('profile-name-taken', 'looks-like-another', 'too-many-profiles')

export function updateProfile(ref: ProfileRef, edit: Edit<ProfileContent>): Command<ProfileRecord> {
  return onRecord({
    aggregate: filterProfiles,
    id: ref.companyId,
    record: profileAt(ref),
    decide: ({ profile, state }) => {
      const { name, filters } = profile
      return decideToUpdateProfile(state, profile, editedContent(edit, { name, filters }))
    },
    answer: ({ profile }) => presentProfile(profile),
  })
}
updateProfile.refuses = refusals('profile-not-found', 'profile-name-taken', 'looks-like-another')

export function softDeleteProfile(ref: ProfileRef): Command<undefined> {
  return onRecord({
    aggregate: filterProfiles,
    id: ref.companyId,
    record: profileAt(ref),
    decide: ({ profile }) => decideToSoftDeleteProfile(profile),
  })
}
softDeleteProfile.refuses = refusals('profile-not-found')

interface FoundProfile {
  readonly profile: FilterProfile
  readonly state: FilterProfiles
  readonly revision: number
}

function profileAt({ profileId }: ProfileRef): AddressedRecord<FilterProfiles, FoundProfile> {
  return {
    missing: 'profile-not-found',
    id: profileId,
    find: (state) => {
      const profile = state.profiles.get(profileId)
      return profile && { profile, state, revision: profile.revision }
    },
  }
}

function presentProfile({ revision, ...profile }: FilterProfile) {
  const { companyId, profileId, name, filters, createdBy, lastModifiedBy, createdAt, updatedAt } = profile
  const body = { companyId, profileId, name, filters, createdBy, lastModifiedBy, createdAt, updatedAt }
  return { body, etag: revision }
}
