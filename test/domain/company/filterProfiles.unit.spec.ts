import { describe, expect, it } from 'vitest'
import {
  type FilterProfileEvent,
  type FilterProfiles,
  filterProfiles,
  filtersFault,
  maxFilterBytes,
  maxFilterDepth,
  maxProfiles,
  type ProfileContent,
  saveProfile,
  softDeleteProfile,
  updateProfile,
} from '../../../src/domain/company/filterProfiles.ts'
import type { DecisionContext } from '../../../src/domain/kernel/aggregate.ts'
import { alice, bob, companyId, given, id, timeOf } from '../../support/given.ts'

const [thick, other] = [id(101), id(102)]
function content(parts: Partial<ProfileContent> = {}): ProfileContent {
  return { name: 'Thick plate', filters: { minThicknessMm: 40, grades: ['S355J2', 'S460J2'] }, ...parts }
}

function saved(profileId: string, parts: Partial<ProfileContent> = {}): FilterProfileEvent {
  return { type: 'FilterProfileSaved', data: { companyId, profileId, ...content(parts) } }
}

function updated(profileId: string, parts: Partial<ProfileContent> = {}): FilterProfileEvent {
  return { type: 'FilterProfileUpdated', data: { companyId, profileId, ...content(parts) } }
}

function deleted(profileId: string, name = 'Thick plate'): FilterProfileEvent {
  return { type: 'FilterProfileSoftDeleted', data: { companyId, profileId, name } }
}

const save =
  (parts: Partial<ProfileContent> = {}) =>
  (state: FilterProfiles, context: DecisionContext) =>
    saveProfile(state, companyId, content(parts), context)
const update =
  (profileId: string, parts: Partial<ProfileContent> = {}) =>
  (state: FilterProfiles) =>
    updateProfile(state, state.profiles.get(profileId)!, content(parts))

describe('saving a filter profile', () => {
  it('records it under a new id', () =>
    given(filterProfiles)
      .when(save())
      .records(saved(id(1))))

  it('is refused when a live profile has the name, in any spelling', () => {
    for (const name of ['Thick plate', ' THICK  PLATE ', 'ｔｈｉｃｋ plate'])
      given(filterProfiles, saved(thick))
        .when(save({ name }))
        .refuses('profile-name-taken', { profileId: thick })
  })

  it('is refused when its name differs from a live one only in lower case', () => {
    for (const [name, spelling] of [
      ['Straße', 'Straẞe'],
      ['i̇', 'İ'],
    ])
      given(filterProfiles, saved(thick, { name: name! }))
        .when(save({ name: spelling! }))
        .refuses('profile-name-taken', { profileId: thick })
  })

  it('may take a name that a rename or a deletion has freed', () => {
    given(filterProfiles, saved(thick), updated(thick, { name: 'Thin' }))
      .when(save())
      .records(saved(id(1)))
    given(filterProfiles, saved(thick), deleted(thick))
      .when(save())
      .records(saved(id(1)))
  })

  it('is refused when the company has the maximum of live profiles', () => {
    const many = Array.from({ length: maxProfiles }, (_, n) => saved(id(1_000 + n), { name: `Profile ${n}` }))
    given(filterProfiles, ...many)
      .when(save())
      .refuses('too-many-profiles')
    given(filterProfiles, ...many, deleted(id(1_000), 'Profile 0'))
      .when(save())
      .records(saved(id(1)))
  })
})

describe('updating a filter profile', () => {
  const known = given(filterProfiles, saved(thick), saved(other, { name: 'Thin' }))

  it('replaces its name and its filters', () => {
    known.when(update(thick, { name: 'Heavy' })).records(updated(thick, { name: 'Heavy' }))
    known.when(update(thick, { filters: {} })).records(updated(thick, { filters: {} }))
  })

  it('may change the spelling of its name', () =>
    known.when(update(thick, { name: 'THICK PLATE' })).records(updated(thick, { name: 'THICK PLATE' })))

  it('records nothing when only the order of members changes', () => {
    known.when(update(thick)).recordsNothing()
    known
      .when(update(thick, { filters: { grades: ['S355J2', 'S460J2'], minThicknessMm: 40 } }))
      .recordsNothing()
    known
      .when(update(thick, { filters: { grades: ['S460J2', 'S355J2'], minThicknessMm: 40 } }))
      .records(updated(thick, { filters: { grades: ['S460J2', 'S355J2'], minThicknessMm: 40 } }))
  })

  it('is refused when the name looks like that of another live profile', () =>
    known
      .when(update(thick, { name: 'Τhin' }))
      .refuses('looks-like-another', { other: 'Thin', profileId: other }))

  it('is refused when another live profile has the name', () =>
    known.when(update(thick, { name: 'THIN' })).refuses('profile-name-taken', { profileId: other }))

  it('keeps its creator and its time of creation', () => {
    const { state } = given(filterProfiles, saved(thick), {
      ...updated(thick, { name: 'Heavy' }),
      metadata: { actor: bob },
    })
    expect(state.profiles.get(thick)).toStrictEqual({
      companyId,
      profileId: thick,
      ...content({ name: 'Heavy' }),
      createdBy: alice.id,
      lastModifiedBy: bob.id,
      createdAt: timeOf(0),
      updatedAt: timeOf(1),
      revision: 1,
    })
  })
})

describe('deleting a filter profile', () => {
  it('records the deletion, and removes the profile from the state', () => {
    given(filterProfiles, saved(thick))
      .when((state) => softDeleteProfile(state.profiles.get(thick)!))
      .records(deleted(thick))
    expect(given(filterProfiles, saved(thick), deleted(thick)).state).toStrictEqual(filterProfiles.initial)
  })
})

describe('the size of filters', () => {
  const nested = (depth: number): object => (depth === 1 ? {} : { in: nested(depth - 1) })

  it('is bounded in depth, and the filters themselves are one level', () => {
    expect(filtersFault(nested(maxFilterDepth) as never)).toBeUndefined()
    expect(filtersFault(nested(maxFilterDepth + 1) as never)).toMatch(/nested deeper than 16/)
    expect(filtersFault({ list: [[1], { deep: null }] })).toBeUndefined()
  })

  it('is bounded in bytes, as compact UTF-8', () => {
    const around = '{"text":""}'.length
    expect(filtersFault({ text: 'x'.repeat(maxFilterBytes - around) })).toBeUndefined()
    expect(filtersFault({ text: 'x'.repeat(maxFilterBytes - around + 1) })).toMatch(/16384 bytes/)
    expect(filtersFault({ text: 'ß'.repeat((maxFilterBytes - around - 1) / 2) })).toBeUndefined()
    expect(filtersFault({ text: 'ß'.repeat((maxFilterBytes - around + 1) / 2) })).toMatch(/16384 bytes/)
  })
})
