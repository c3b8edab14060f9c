import { z } from 'zod'
import { inspectionDocuments } from '../../../domain/certificates/certificateContent.ts'
import { faultOfLook } from '../../../domain/kernel/lookAlikes.ts'
import { severities } from '../../../domain/tags/tag.ts'
import type { FaultCode } from '../../../problems/faults.ts'

/** The fields that several schemas share, with their bounds. */

/** The message of a rule of ours, and the kind of fault that it finds. */
export function withFault(fault: FaultCode, error: string) {
  return { error, params: { fault } }
}

/** The most UTF-16 units of a text as it is sent, for each code point that it may have as it is kept. */
const longestUnits = 4

/**
 * Text as it is kept: without white space around it, and in NFC. Every text comes in here, from JSON and from files, so
 * one that is sent as it was read is the text that is kept.
 */
export function text(least: number, most: number) {
  return (
    z
      .string()
      .trim()
      // The time of a normalisation grows with the square of the marks on one letter.
      .overwrite((sent) => (sent.length <= longestUnits * most ? sent.normalize('NFC') : sent))
      .refine(within(least, most), { ...withFault('out-of-bounds', boundsText(least, most)), abort: true })
      .meta(bounds(least, most))
  )
}

/** A query parameter that is compared with texts in PostgreSQL, which cannot hold NUL. */
export function plainText(most: number) {
  return text(1, most).refine((given) => !given.includes('\0'), 'must not contain NUL')
}

export const noHidden = 'must not contain control characters or marks of direction'

/** A number, a mark or a name that people know something by: one line, without letters that deceive. */
export function identifying(most: number) {
  return text(1, most).superRefine(refuseDeceiving).meta(bounds(1, most))
}

/** An identifying number, or the mark that identifies a piece. */
export const number = identifying(50)
export const name = identifying(100)

function refuseDeceiving(sent: string, { addIssue }: Pick<z.RefinementCtx, 'addIssue'>): void {
  const fault = faultOfLook(sent)
  if (fault) addIssue(fault)
}

/** Read an absent value as null. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value): z.output<Schema> | null => value ?? null)
}

const notADate = 'must be a date, as in 2026-03-31'

/** A day. PostgreSQL's calendar has no year 0. */
export const fullDate = z.iso
  .date({ error: notADate, abort: true })
  .refine((date) => date >= '0001', notADate)

/** A positive length in millimetres. */
export function millimetres(most: number) {
  return z.number().gt(0, 'must be more than 0').max(most, `must be at most ${most}`)
}

export function between(least: number, most: number) {
  return z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`)
}

export function notWithin(least: number, most: number): string {
  return `must be a whole number from ${least} to ${most}`
}

export function wholeBetween(least: number, most: number) {
  const error = notWithin(least, most)
  return z.int({ error, abort: true }).min(least, error).max(most, error)
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

/** A switch in a query. */
export const trueOrFalse = z
  .enum(['true', 'false'], 'must be true or false')
  .meta({ as: { type: 'boolean' } })

/** The outcome for one record of a request for many. */
export const recordOutcomes = ['created', 'updated', 'unchanged'] as const

export const severity = oneOf(severities)
export const inspectionDocument = oneOf(inspectionDocuments)

const notATime = 'must be a time of RFC 3339, as in 2026-03-31T08:00:00Z'

/** A time in a request. It is kept in UTC and of bounded length: PostgreSQL refuses large offsets and long fractions. */
export const time = z.iso
  .datetime({ offset: true, error: notATime, abort: true })
  .transform((given) => new Date(given).toISOString())
  // PostgreSQL's calendar has no year 0. A year beyond 9999 begins with a plus.
  .refine((utc) => utc >= '0001', notATime)

/** The member of a workshop command that states when the work was done, because the command may be sent later. */
export const performed = {
  performedAt: time
    .meta({
      id: 'PerformedAt',
      description:
        'When it was done, if the request could not be sent at once. It is not in the future, and at most 24 hours ago.',
    })
    .optional(),
}

/** A time in an answer: RFC 3339 in UTC. */
export const timestamp = z.string().meta({ format: 'date-time' })
export const uuid = z.guid()
/** The revision of an answered record. */
export const revision = z.int().min(0).meta({
  id: 'Revision',
  description: 'The revision of the record, for a condition: If-Match takes it as `"7"`.',
})

/** The dates of a certificate or order in an answer. */
export const dated = {
  registeredAt: timestamp,
  updatedAt: timestamp.meta({
    description: 'When its values, its tags or the status of its line items changed last.',
  }),
  updatedBy: z
    .string()
    .meta({ description: 'The userId of the caller who last registered or corrected it.' }),
}

/** A time in a sort key, in PostgreSQL's JSON format. */
export const sortedAt = z.iso.datetime({ offset: true }).refine((time) => time >= '0001')

/** A tag as certificates and orders show it. */
export const shownTag = z
  .object({
    tagId: uuid,
    name: z.string(),
    color: z.string(),
    severity: severity.nullable(),
  })
  .meta({ id: 'ShownTag' })

/** Count Unicode code points. The bounds promised to callers are not in UTF-16 units. */
function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function within(least: number, most: number) {
  return (text: string) => text.length <= 2 * most && codePoints(text) >= least && codePoints(text) <= most
}

function boundsText(least: number, most: number): string {
  return least === 0 ? `must have at most ${most} characters` : `must have ${least} to ${most} characters`
}

function bounds(least: number, most: number) {
  return { minLength: least, maxLength: most }
}
