import { type FilterProfileEvent, type Filters, profileNameKey } from '../../domain/company/filterProfiles.ts'
import {
  bigint,
  defineProjection,
  json,
  type Key,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { columnsOf, type ListQuery, listQuery, type Page, singleQuery } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'

/** The live optimisation filter profiles. */

const profile = table({
  columns: {
    companyId: uuid,
    profileId: uuid,
    name: text,
    /** The form of the name that decides uniqueness and the order of the list. */
    nameKey: text,
    filters: json<Filters>(),
    createdBy: text,
    lastModifiedBy: text,
    createdAt: timestamptz,
    updatedAt: timestamptz,
    revision: bigint,
  },
  key: ['companyId', 'profileId'],
  indexes: [['companyId', 'nameKey', 'profileId']],
})

export const filterProfiles = defineProjection<FilterProfileEvent>()({
  name: 'filterProfiles',
  version: 1,
  tables: { profile },
  handlers: {
    FilterProfileSaved: {
      touches,
      apply: (rows, { data: { companyId, profileId, name, filters }, metadata, revision }) =>
        rows.profile.put({
          companyId,
          profileId,
          name,
          nameKey: profileNameKey(name),
          filters,
          createdBy: metadata.actor.id,
          lastModifiedBy: metadata.actor.id,
          createdAt: metadata.occurredAt,
          updatedAt: metadata.occurredAt,
          revision,
        }),
    },
    FilterProfileUpdated: {
      touches,
      apply: (rows, { data, metadata, revision }) =>
        rows.profile.update(keyOf(data), {
          name: data.name,
          nameKey: profileNameKey(data.name),
          filters: data.filters,
          lastModifiedBy: metadata.actor.id,
          updatedAt: metadata.occurredAt,
          revision,
        }),
    },
    FilterProfileSoftDeleted: { touches, apply: (rows, { data }) => rows.profile.delete(keyOf(data)) },
  },
})

/** The live profiles of a company. */
export function listProfiles(reading: Reading, companyId: string, page?: Page): ListQuery {
  return listQuery(
    {
      select: columnsOf(profile, 'f', ['nameKey', 'revision']),
      from: `${reading.table(filterProfiles, 'profile')} f`,
      where: 'company_id = $1',
      values: [companyId],
      order: ['name_key', 'profile_id'],
    },
    page,
  )
}

/** One live profile, with its `revision`. */
export function findProfile(
  reading: Reading,
  { companyId, profileId }: { companyId: string; profileId: string },
): ListQuery {
  return singleQuery({
    select: columnsOf(profile, 'f', ['nameKey']),
    from: `${reading.table(filterProfiles, 'profile')} f`,
    where: 'company_id = $1 AND profile_id = $2',
    values: [companyId, profileId],
  })
}

function keyOf({ companyId, profileId }: { companyId: string; profileId: string }): Key {
  return [companyId, profileId]
}

function touches({ data }: { data: { companyId: string; profileId: string } }) {
  return { profile: [keyOf(data)] }
}
