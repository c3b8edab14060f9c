import { describe, expect, it } from 'vitest'
import type { FilterProfileEvent } from '../../../src/domain/company/filterProfiles.ts'
import { filterProfiles } from '../../../src/projections/company/filterProfiles.ts'
import { alice, bob, companyId, id, rowsOf, timeOf } from '../../support/given.ts'

const profileId = id(101)
const filters = { minThicknessMm: 40 }
const saved: FilterProfileEvent = {
  type: 'FilterProfileSaved',
  data: { companyId, profileId, name: 'Thick plate', filters },
}
const row = {
  companyId,
  profileId,
  name: 'Thick plate',
  nameKey: 'THICK PLATE',
  filters,
  revision: 0,
  createdBy: alice.id,
  lastModifiedBy: alice.id,
  createdAt: timeOf(0),
  updatedAt: timeOf(0),
}

describe('the live filter profiles', () => {
  it('have one from when it is saved', () =>
    expect(rowsOf(filterProfiles, saved).profile).toStrictEqual([row]))

  it('show who changed it last, and who made it', () => {
    const data = { companyId, profileId, name: 'Heavy', filters: {} }
    expect(
      rowsOf(filterProfiles, saved, { type: 'FilterProfileUpdated', data, metadata: { actor: bob } }).profile,
    ).toStrictEqual([
      {
        ...row,
        name: 'Heavy',
        nameKey: 'HEAVY',
        filters: {},
        revision: 1,
        lastModifiedBy: bob.id,
        updatedAt: timeOf(1),
      },
    ])
  })

  it('have it no more once it is deleted', () => {
    const data = { companyId, profileId, name: 'Thick plate' }
    expect(rowsOf(filterProfiles, saved, { type: 'FilterProfileSoftDeleted', data }).profile).toStrictEqual(
      [],
    )
  })
})
