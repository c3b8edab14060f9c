import { z } from 'zod'
import { roles } from '../../domain/company/companyEvents.ts'
import { oneOf, timestamp, uuid } from '../kit/schemas/fields.ts'

export const heldRoles = z.array(oneOf(roles))

/** An API key as its owner sees it. */
export const listedKey = z
  .object({
    keyId: uuid,
    label: z.string(),
    prefix: z
      .string()
      .meta({ description: 'The first characters of the key, so that its owner can recognise it.' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'Exact to the minute.' }),
    expiresAt: timestamp.nullable().meta({ description: 'null if it never expires.' }),
    snapshot: z.array(z.object({ companyId: uuid, roles: heldRoles })).meta({
      description:
        'The permissions of the key: the memberships of its owner when it was created, without the companies that an Admin has removed since.',
    }),
  })
  .meta({ id: 'ApiKey' })
