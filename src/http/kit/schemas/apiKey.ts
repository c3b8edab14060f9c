import { z } from 'zod'
import { roles } from '../../../domain/company.ts'
import { oneOf, timestamp, uuid } from './fields.ts'

export const heldRoles = z.array(oneOf(roles))

/** An API key as its owner sees it. */
export const listedKey = z
  .object({
    keyId: uuid,
    label: z.string(),
    prefix: z.string().meta({ description: 'How the key begins, for its owner to recognise it.' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'To the minute.' }),
    expiresAt: timestamp.nullable().meta({ description: 'null: never.' }),
    snapshot: z.array(z.object({ companyId: uuid, roles: heldRoles })).meta({
      description:
        'All that the key may do: the memberships as they were when it was created, without the companies that have taken themselves out of it since.',
    }),
  })
  .meta({ id: 'ApiKey' })
