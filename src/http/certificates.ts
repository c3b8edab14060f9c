import { z } from 'zod'
import { correctCertificate, registerCertificate } from '../commands/certificates.ts'
import type { CertificateContent, MechanicalValues } from '../domain/certificateContent.ts'
import { elementSymbols } from '../domain/elements.ts'
import { notFound } from '../domain/refusal.ts'
import { certificates, findCertificate, listCertificates } from '../projections/certificates.ts'
import { tags } from '../projections/tags.ts'
import { list } from './kit/lists/listRoute.ts'
import { bulk } from './kit/routing/bulkRoute.ts'
import { command } from './kit/routing/commandRoute.ts'
import { record } from './kit/routing/readRoute.ts'
import type { Route } from './kit/routing/route.ts'
import {
  between,
  inspectionDocument,
  millimetres,
  number,
  oneOf,
  orNull,
  shownTag,
  text,
  timestamp,
  uuid,
} from './kit/schemas/fields.ts'

/** Mill certificates: registered, corrected, listed. */

const productForm = oneOf(['Plate', 'Coil', 'Section', 'HollowSection', 'Bar', 'Tube', 'Other'])

const mechanical = z.strictObject({
  reHMpa: orNull(between(0, 3_000)),
  rmMpa: orNull(between(0, 3_000)),
  a5Percent: orNull(between(0, 100)),
  kvJoule: orNull(between(0, 1_000)),
  kvTemperatureC: orNull(between(-273, 200)),
})

/** One field for each element. Zod's records would drop a member named `__proto__` instead of refusing it. */
const chemistry = z
  .strictObject(Object.fromEntries(elementSymbols.map((symbol) => [symbol, between(0, 100).optional()])))
  .meta({
    as: {
      type: 'object',
      propertyNames: { type: 'string', enum: elementSymbols },
      additionalProperties: { type: 'number', minimum: 0, maximum: 100 },
    },
  })

const notADate = 'must be a date, as in 2026-03-31'

const numbers = { certificateNumber: number, heatNumber: number }

/** Each value in a request body. */
const content = {
  standard: orNull(text(1, 50)).meta({ description: 'For example EN 10025-2.' }),
  grade: text(1, 50).meta({ description: 'For example S355J2+N.' }),
  inspectionDocument: inspectionDocument.meta({ description: 'The inspection document type of EN 10204.' }),
  manufacturer: orNull(text(1, 200)),
  productForm: orNull(productForm),
  thicknessMm: orNull(millimetres(1_000)),
  chemistry: orNull(chemistry).meta({ description: 'Percent by mass, by element symbol.' }),
  mechanical: orNull(mechanical),
  // PostgreSQL's calendar has no year 0.
  issuedOn: orNull(z.iso.date({ error: notADate, abort: true }).refine((date) => date >= '0001', notADate)),
} satisfies Record<keyof CertificateContent, z.ZodType>

/** Each value in an answer. */
const shownContent = {
  standard: z.string().nullable(),
  grade: z.string(),
  inspectionDocument,
  manufacturer: z.string().nullable(),
  productForm: productForm.nullable(),
  thicknessMm: z.number().nullable(),
  chemistry: z.record(z.string(), z.number()).nullable(),
  mechanical: z
    .object({
      reHMpa: z.number().nullable(),
      rmMpa: z.number().nullable(),
      a5Percent: z.number().nullable(),
      kvJoule: z.number().nullable(),
      kvTemperatureC: z.number().nullable(),
    } satisfies Record<keyof MechanicalValues, z.ZodType>)
    .nullable(),
  issuedOn: z.string().meta({ format: 'date' }).nullable(),
} satisfies Record<keyof CertificateContent, z.ZodType>

const registration = z.strictObject({ ...numbers, ...content }).meta({ id: 'CertificateRegistration' })

const correction = z
  .strictObject({ ...z.object(numbers).partial().shape, ...content })
  .meta({ id: 'CertificateCorrection', description: 'The numbers may be left out; they never change.' })

const certificate = z
  .object({
    millCertificationId: uuid,
    companyId: uuid,
    certificateNumber: z.string(),
    heatNumber: z.string(),
    ...shownContent,
    registeredAt: timestamp,
    tags: z.array(shownTag),
    blocked: z.boolean().meta({ description: 'Whether one of the tags has severity Block.' }),
  })
  .meta({ id: 'Certificate' })

type Content = Omit<z.output<typeof registration>, keyof typeof numbers>

/** The elements' values may be undefined by type; none that came in as JSON is. */
function contentOf(body: Content) {
  return body as CertificateContent
}

function register({
  params: { companyId },
  body: { certificateNumber, heatNumber, ...rest },
}: {
  params: { companyId: string }
  body: z.output<typeof registration>
}) {
  return registerCertificate(companyId, { certificateNumber, heatNumber }, contentOf(rest))
}

const all = '/api/company/{companyId}/millcert/certificates'
const one = `${all}/{millCertificationId}` as const
const group = 'Mill certificates'
const reading = { tag: group, access: { company: 'view' } } as const
const writing = { tag: group, access: { company: 'plan' } } as const

export const certificateRoutes: Route[] = [
  list({
    ...reading,
    path: all,
    operationId: 'listCertificates',
    summary: 'List the mill certificates, by certificate number and heat number',
    reads: [certificates, tags],
    rows: (moment, { params }, page) => listCertificates(moment, params.companyId, page),
    sortKey: z.tuple([z.string(), z.string(), uuid]),
    item: certificate,
  }),
  command({
    ...writing,
    method: 'post',
    path: all,
    operationId: 'registerCertificate',
    summary: 'Register a mill certificate',
    description:
      'The id is derived from the numbers, however they are spelled. A repeat with the same content returns the record; other content is refused.',
    body: registration,
    command: register,
    record: certificate,
    location: ({ companyId, millCertificationId }) =>
      `/api/company/${companyId}/millcert/certificates/${millCertificationId}`,
    problems: [409],
  }),
  bulk({
    ...writing,
    path: `${all}/bulk`,
    operationId: 'registerCertificates',
    summary: 'Register up to 10,000 mill certificates, one on each line',
    description:
      'Each line is registered on its own: a faulty line does not affect the others, and the whole request may be repeated.',
    body: registration,
    command: register,
    id: ({ millCertificationId }) => millCertificationId,
  }),
  record({
    ...reading,
    path: one,
    operationId: 'getCertificate',
    summary: 'Read one mill certificate',
    reads: [certificates, tags],
    find: (moment, { params }) => findCertificate(moment, params.companyId, params.millCertificationId),
    missing: ({ params }) => notFound('mill certificate', params.millCertificationId),
    record: certificate,
  }),
  command({
    ...writing,
    method: 'put',
    path: one,
    operationId: 'correctCertificate',
    summary: 'Correct a mill certificate',
    body: correction,
    command: ({ params, body: { certificateNumber, heatNumber, ...rest } }) =>
      correctCertificate(
        params.companyId,
        params.millCertificationId,
        { certificateNumber, heatNumber },
        contentOf(rest),
      ),
    record: certificate,
    conditional: true,
    problems: [404],
  }),
]
