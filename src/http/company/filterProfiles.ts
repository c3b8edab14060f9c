import { z } from 'zod'
import { saveProfile, softDeleteProfile, updateProfile } from '../../commands/company/filterProfiles.ts'
import { barStatuses } from '../../domain/bars/barEvents.ts'
import { certificateStatuses } from '../../domain/certificates/certificateStatus.ts'
import { type Filters, filtersFault, type ProfileContent } from '../../domain/company/filterProfiles.ts'
import { replaceMembers } from '../../domain/kernel/edit.ts'
import { filterProfiles, findProfile, listProfiles } from '../../projections/company/filterProfiles.ts'
import { asPointer } from '../kit/body/validate.ts'
import { listRoute } from '../kit/lists/listRoute.ts'
import type { SavedFilters } from '../kit/lists/savedFilters.ts'
import { commandRoute } from '../kit/routing/commandRoute.ts'
import { recordRoute } from '../kit/routing/readRoute.ts'
import { pathWith, type Route } from '../kit/routing/route.ts'
import { applyPatch, asEdit } from '../kit/schemas/edit.ts'
import { fullDate, name, number, oneOf, text, timestamp, uuid, withFault } from '../kit/schemas/fields.ts'

/** Optimisation filter profiles: saved, updated, soft-deleted, listed. */

export const filterStatuses = [...barStatuses, ...certificateStatuses] as const

/** The filters that the lists of bars and of certificates share. */
const common = z
  .object({
    status: z.array(oneOf(filterStatuses)),
    grade: text(1, 50),
    profile: text(1, 50),
    heatNumber: number,
    orderId: uuid,
    dueBy: fullDate,
  })
  .partial()

/** Filters are kept unchanged. Zod's records would drop members named `__proto__`. */
const anyFilters = z
  .custom<Filters>(isObject, { ...withFault('wrong-type', 'must be an object'), abort: true })
  .superRefine((value, context) => {
    for (const issue of common.safeParse(value, { error: asPointer.wording, reportInput: true }).error
      ?.issues ?? [])
      context.addIssue({ ...issue })
  })
  .meta({
    id: 'SavedFilters',
    as: {
      type: 'object',
      properties: z.toJSONSchema(common, { io: 'input' }).properties,
      additionalProperties: true,
    },
    description:
      'The lists of bars and certificates apply the members that have the names of their parameters, with `profileId`. Others are kept as they are. At most 16 KiB as compact JSON and 16 levels deep. The default is {}.',
  })

const filters = anyFilters
  .superRefine((value, context) => {
    const fault = filtersFault(value)
    if (fault) context.addIssue({ code: 'custom', message: fault, params: { fault: 'out-of-bounds' } })
  })
  .optional()
  .transform((value): Filters => value ?? {})

const content = {
  name: name.meta({ description: 'Unique among the live profiles of the company.' }),
  filters,
} satisfies Record<keyof ProfileContent, z.ZodType>

const body = z.strictObject(content).meta({
  id: 'FilterProfileContent',
  examples: [{ name: 'Beams at the saw', filters: { status: ['Approved'], profile: 'HEA 200' } }],
})
const update = z.strictObject(asEdit(content)).meta({ id: 'FilterProfileUpdate' })
/** The patch of the filters may be larger than the filters that it gives. */
const patch = update
  .extend({
    filters: z
      .custom<Filters>(isObject, withFault('wrong-type', 'must be an object'))
      .optional()
      .meta({
        as: { type: 'object', additionalProperties: true },
        description: 'A merge patch of the filters: null removes a member.',
      }),
  })
  .meta({ id: 'FilterProfilePatch' })

const profile = z
  .object({
    profileId: uuid,
    companyId: uuid,
    name: z.string(),
    filters: anyFilters,
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

export const savedFilters: SavedFilters = { reads: [filterProfiles], find: findProfile }

export const filterProfileRoutes: Route[] = [
  listRoute({
    ...reading,
    path: all,
    operationId: 'listFilterProfiles',
    summary: 'List the saved filter profiles, by name',
    reads: [filterProfiles],
    rows: (snapshot, { params }, page) => listProfiles(snapshot, params.companyId, page),
    sortKey: z.tuple([z.string(), uuid]),
    item: profile,
  }),
  commandRoute({
    ...writing,
    method: 'post',
    path: all,
    operationId: 'saveFilterProfile',
    summary: 'Save a new filter profile',
    body,
    command: ({ params, body }) => saveProfile(params.companyId, body),
    record: profile,
    location: ({ companyId, profileId }) => pathWith(one, { companyId, profileId }),
    problems: saveProfile.refuses,
  }),
  recordRoute({
    ...reading,
    path: one,
    operationId: 'getFilterProfile',
    summary: 'Read one filter profile',
    reads: [filterProfiles],
    find: (snapshot, { params }) => findProfile(snapshot, params),
    missing: { code: 'profile-not-found', id: 'profileId' },
    record: profile,
  }),
  commandRoute({
    ...writing,
    method: 'put',
    path: one,
    operationId: 'updateFilterProfile',
    summary: 'Update a filter profile',
    description: 'The filters are replaced as a whole.',
    body: update,
    command: ({ params, body }) => updateProfile(params, replaceMembers<ProfileContent>(body)),
    record: profile,
    conditional: true,
    problems: updateProfile.refuses,
  }),
  commandRoute({
    ...writing,
    method: 'patch',
    path: one,
    operationId: 'patchFilterProfile',
    summary: 'Change some members of a filter profile',
    body: patch,
    command: ({ params, body: sent }) => updateProfile(params, applyPatch(body, sent)),
    record: profile,
    conditional: true,
    problems: updateProfile.refuses,
  }),
  commandRoute({
    ...writing,
    method: 'delete',
    path: one,
    operationId: 'deleteFilterProfile',
    summary: 'Soft-delete a filter profile',
    description: 'The name can be used again.',
    command: ({ params }) => softDeleteProfile(params),
    conditional: true,
    problems: softDeleteProfile.refuses,
  }),
]

function isObject(value: unknown): value is Filters {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
