import type { DomainEvent } from '../domain/event.ts'
import {
  saveProfile as decideSave,
  softDeleteProfile as decideSoftDelete,
  updateProfile as decideUpdate,
  type FilterProfile,
  type FilterProfileEvent,
  type FilterProfiles,
  filterProfiles,
  type ProfileContent,
  type ProfileRef,
} from '../domain/filterProfiles.ts'
import type { Command } from './command.ts'

/** A filter profile as it is answered. */
export interface ProfileRecord extends ProfileRef, ProfileContent {
  readonly createdBy: string
  readonly lastModifiedBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

type ProfileCommand<Answer = ProfileRecord> = Command<FilterProfiles, FilterProfileEvent, Answer>

const answered = ({ revision, ...profile }: FilterProfile) => ({ body: profile, etag: revision })

export const saveProfile = (companyId: string, content: ProfileContent): ProfileCommand => ({
  aggregate: filterProfiles,
  id: companyId,
  decide: (state, context) => decideSave(state, companyId, content, context),
  // Saving always records: the profile is the one that the event made.
  answer: ({ profiles }, [saved]) =>
    answered(profiles.get((saved as DomainEvent<string, ProfileRef>).data.profileId)!),
})

const changeProfile = <Answer>(
  { companyId, profileId }: ProfileRef,
  decide: (state: FilterProfiles, profile: FilterProfile) => readonly FilterProfileEvent[],
  answer: ProfileCommand<Answer>['answer'],
): ProfileCommand<Answer> => ({
  aggregate: filterProfiles,
  id: companyId,
  target: ({ profiles }) => profiles.get(profileId),
  addressed: { what: 'filter profile', id: profileId },
  decide: (state) => decide(state, state.profiles.get(profileId)!),
  answer,
})

export const updateProfile = (ref: ProfileRef, content: ProfileContent): ProfileCommand =>
  changeProfile(
    ref,
    (state, profile) => decideUpdate(state, profile, content),
    ({ profiles }) => answered(profiles.get(ref.profileId)!),
  )

/** A deleted profile is gone: there is no record to answer. */
export const softDeleteProfile = (ref: ProfileRef): ProfileCommand<undefined> =>
  changeProfile(
    ref,
    (_state, profile) => decideSoftDelete(profile),
    () => ({ body: undefined }),
  )
