import { z } from 'zod'
import { saveProfile, softDeleteProfile, updateProfile } from '../commands/filterProfiles.ts'
import { type Filters, filtersFault } from '../domain/filterProfiles.ts'
import { filterProfiles, listProfiles } from '../projections/filterProfiles.ts'
import { list } from './kit/lists/listRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import type { Route } from './kit/routing/route.ts'
import { name, timestamp, uuid } from './kit/schemas/fields.ts'

/** Optimisation filter profiles: saved, updated, soft-deleted, listed. */

function isObject(value: unknown): value is Filters {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const anyObject = { type: 'object', additionalProperties: true }

/** Filters are kept unchanged. Zod's records would drop members named `__proto__`. */
const filters = z
  .custom<Filters>(isObject, { message: 'must be an object', abort: true })
  .superRefine((value, context) => {
    const fault = filtersFault(value)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
  .optional()
  .transform((value): Filters => value ?? {})
  .meta({
    as: anyObject,
    description: 'At most 16 KiB as compact JSON and 16 levels deep. The default is {}.',
  })

const body = z
  .strictObject({
    name: name.meta({ description: 'Unique among the live profiles of the company.' }),
    filters,
  })
  .meta({ id: 'FilterProfileContent' })

const profile = z
  .object({
    profileId: uuid,
    companyId: uuid,
    name: z.string(),
    filters: z.custom<Filters>().meta({ as: anyObject }),
    createdBy: z.string(),
    lastModifiedBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'FilterProfile' })

const all = '/api/company/{companyId}/optimisation/filter-profiles'
const one = `${all}/{profileId}` as const
const group = 'Optimisation filter profiles'
const reading = { tag: group, access: { company: 'view' } } as const
const writing = { tag: group, access: { company: 'edit' } } as const

export const filterProfileRoutes: Route[] = [
  list({
    ...reading,
    path: all,
    operationId: 'listFilterProfiles',
    summary: 'List the saved filter profiles, by name',
    reads: [filterProfiles],
    rows: (moment, { params }, page) => listProfiles(moment, params.companyId, page),
    sortKey: z.tuple([z.string(), uuid]),
    item: profile,
  }),
  command({
    ...writing,
    method: 'post',
    path: all,
    operationId: 'saveFilterProfile',
    summary: 'Save a new filter profile',
    body,
    command: ({ params, body }) => saveProfile(params.companyId, body),
    record: profile,
    location: ({ companyId, profileId }) =>
      `/api/company/${companyId}/optimisation/filter-profiles/${profileId}`,
    problems: [409],
  }),
  command({
    ...writing,
    method: 'put',
    path: one,
    operationId: 'updateFilterProfile',
    summary: 'Update a filter profile',
    description: 'Replaces its name and filters. If-Match compares with the ETag of the last answer.',
    body,
    command: ({ params, body }) => updateProfile(params, body),
    record: profile,
    conditional: true,
    problems: [404, 409],
  }),
  command({
    ...writing,
    method: 'delete',
    path: one,
    operationId: 'deleteFilterProfile',
    summary: 'Soft-delete a filter profile',
    description: 'The name can be used again.',
    command: ({ params }) => softDeleteProfile(params),
    conditional: true,
    problems: [404],
  }),
]
