import { z } from 'zod'
import type { DecidedRulePack } from '../../commands/rulePacks/rulePacks.ts'
import type { Reader } from '../../projections/engine/reading/reader.ts'
import { listRulePacks } from '../../projections/rulePacks/rulePackQueries.ts'
import { rulePacks } from '../../projections/rulePacks/rulePacks.ts'
import { recordOf } from '../kit/schemas/collections.ts'
import { fullDate, orNull, plainText, text } from '../kit/schemas/fields.ts'
import { rulePackDocument } from './rulePackDocument.ts'

/** A rule pack as the API shows it, with where its routes are and who may change it. */

export const all = '/api/company/{companyId}/rule-packs'
export const one = `${all}/{rulePackId}` as const
const group = 'Rule packs'
export const reading = { tag: group, access: { company: 'view' } } as const
export const administering = { tag: group, access: { company: 'administer' } } as const
export const params = { rulePackId: plainText(100) }

const evaluation = z
  .object({
    status: z.enum(['none', 'pending', 'running', 'done']).meta({ id: 'RulePackEvaluationStatus' }),
    done: z.int().meta({ description: 'The number of evaluated subjects.' }),
    total: z.int(),
  })
  .meta({
    id: 'RulePackEvaluation',
    description: 'The progress of the last subscription, upgrade or unsubscription.',
  })

export const validation = {
  by: text(1, 200),
  edition: text(1, 100),
  date: fullDate,
  note: orNull(text(1, 500)),
}

export const parameters = recordOf(z.string(), z.string())

export const rulePack = z
  .object({
    rulePackId: z.string(),
    id: z.string().meta({ description: 'The same as rulePackId.' }),
    name: z.string(),
    version: z.int().meta({ description: 'The newest version.' }),
    subscribedVersion: z.int().nullable().meta({ description: 'The version that is in force.' }),
    subscribed: z.boolean(),
    own: z.boolean().meta({ description: 'Whether the company has written it itself.' }),
    validation: z
      .object({
        version: z.int(),
        by: z.string(),
        edition: z.string(),
        date: z.string().meta({ format: 'date' }),
        note: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The person who compared a version with an edition of the standard.' }),
    evaluation,
    parameters: parameters.meta({
      description: "The company's choices; without a subscription the defaults.",
    }),
    parameterSchema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON Schema of the parameters that this pack offers.' }),
  })
  .meta({ id: 'RulePack' })

/** A single pack is answered with its newest document. */
export const writtenRulePack = rulePack
  .extend({ hash: z.string().meta({ description: 'SHA-256 of the document.' }), document: rulePackDocument })
  .meta({ id: 'RulePackWithDocument' })

/** Read the progress of the evaluation. Without the read models, report it as pending. */
export async function withEvaluation({ companyId, ...decided }: DecidedRulePack, reader?: Reader) {
  const { rulePackId, name, version, parameterSchema, parameters, own, subscribed, subscribedVersion } =
    decided
  const shipped = own ? [] : [{ id: rulePackId, name, version, parameterSchema, defaults: parameters }]
  const { value } = (await reader?.read([rulePacks], (reading) =>
    reading.query<{ evaluation: object }>(listRulePacks(reading, { companyId, shipped, only: rulePackId })),
  )) ?? { value: [] }
  const progress = value[0]?.evaluation ?? { status: 'pending', done: 0, total: 0 }
  return {
    rulePackId,
    id: rulePackId,
    name,
    version,
    subscribedVersion,
    subscribed,
    own,
    evaluation: progress,
    parameters,
    parameterSchema,
    validation: decided.validation,
  }
}
