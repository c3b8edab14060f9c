import { z } from 'zod'
import {
  type CertificateRecord,
  registerCertificate,
  upsertCertificate,
} from '../../../commands/certificates/certificates.ts'
import { refusingDeceivingHeat } from '../../../commands/certificates/deceivingHeat.ts'
import { keepingJudgedValues } from '../../../commands/company/qualityOnly.ts'
import type { Command } from '../../../commands/executor/command.ts'
import type { CertificateContent } from '../../../domain/certificates/certificateContent.ts'
import { elementSymbols } from '../../../domain/certificates/elements.ts'
import type { ImpactTest, MechanicalValues, TensileTest } from '../../../domain/certificates/materialTests.ts'
import { replaceMembers, type Sent } from '../../../domain/kernel/edit.ts'
import { isUsedOnBar } from '../../../projections/bars/productionQueries.ts'
import { findHeatSpellings } from '../../../projections/certificates/heatSpellings.ts'
import {
  analysis,
  gaugeLength,
  productForm,
  testDirection,
  zQuality,
} from '../../certificates/certificateSchema.ts'
import type { BulkLines } from '../../kit/routing/bulkRun.ts'
import { qualityOf } from '../../kit/routing/qualityOf.ts'
import { listOf } from '../../kit/schemas/collections.ts'
import { edited } from '../../kit/schemas/edit.ts'
import {
  between,
  fullDate,
  inspectionDocument,
  millimetres,
  number,
  orNull,
  text,
} from '../../kit/schemas/fields.ts'
import type { Principal, Services } from '../../kit/services.ts'

/** Mill certificates as they arrive: alone, in bulk or in an imported file. */

export const mechanical = {
  reHMpa: orNull(between(0, 3_000)),
  rmMpa: orNull(between(0, 3_000)),
  a5Percent: orNull(between(0, 100)),
  kvJoule: orNull(between(0, 1_000)),
  kvTemperatureC: orNull(between(-273, 200)),
} satisfies Record<keyof MechanicalValues, z.ZodType>

const ofSpecimen = {
  direction: orNull(testDirection),
  location: orNull(text(1, 50)).meta({ description: 'The place of the specimen.' }),
}
const megapascals = orNull(between(0, 3_000))

const tensileTest = z
  .strictObject({
    kind: z.literal('tensile'),
    ...ofSpecimen,
    reHMpa: megapascals,
    reLMpa: megapascals,
    rp02Mpa: megapascals,
    rmMpa: megapascals,
    elongationPercent: orNull(between(0, 100)),
    gaugeLength: orNull(gaugeLength).meta({
      description: '5.65 for 5.65 √S0, else a length in mm. null when the mill does not say it.',
    }),
    rawYieldKind: orNull(text(1, 50)).meta({
      description: 'The heading of a yield strength whose kind the mill leaves open, such as ReH/Rp0,2.',
    }),
    rawYieldMpa: megapascals,
  } satisfies Record<keyof TensileTest, z.ZodType>)
  .meta({ id: 'ReportedTensileTest' })

const impactTest = z
  .strictObject({
    kind: z.literal('impact'),
    ...ofSpecimen,
    temperatureC: orNull(between(-273, 200)),
    specimenWidthMm: orNull(millimetres(10)),
    valuesJoule: listOf(between(0, 1_000), { least: 1, most: 6 }),
    averageJoule: orNull(between(0, 1_000)),
  } satisfies Record<keyof ImpactTest, z.ZodType>)
  .meta({ id: 'ReportedImpactTest' })

const mostTests = 200
const materialTest = z
  .discriminatedUnion('kind', [tensileTest, impactTest], {
    error: 'must have the kind tensile or impact',
  })
  .meta({ id: 'ReportedTest' })

export const percentByMass = between(0, 100)

/** One field for each element. Zod's records would drop a member named `__proto__` instead of refusing it. */
const chemistry = z
  .strictObject(Object.fromEntries(elementSymbols.map((symbol) => [symbol, percentByMass.optional()])))
  .meta({
    id: 'Chemistry',
    as: {
      type: 'object',
      propertyNames: { type: 'string', enum: elementSymbols },
      additionalProperties: { type: 'number', minimum: 0, maximum: 100 },
    },
  })

export const numbers = {
  certificateNumber: number,
  heatNumber: number,
  item: orNull(number).meta({
    description: 'The product, for a document that covers several products of one heat.',
  }),
}

/** Each value in a request body. */
export const content = {
  standard: orNull(text(1, 50)).meta({ description: 'For example EN 10025-2.' }),
  grade: text(1, 50).meta({ description: 'For example S355J2+N.' }),
  profile: orNull(text(1, 50)).meta({ description: 'For example HEA 200.' }),
  deliveryCondition: orNull(text(1, 10)).meta({
    description: 'AR, N, M, Q or QT as a rule. It counts as part of the grade: S355J2 with N is S355J2+N.',
  }),
  zQuality: orNull(zQuality).meta({
    description: 'The quality class of EN 10164. It counts as part of the grade.',
  }),
  inspectionDocument: inspectionDocument.meta({ description: 'The inspection document type of EN 10204.' }),
  manufacturer: orNull(text(1, 200)),
  productForm: orNull(productForm),
  thicknessMm: orNull(millimetres(1_000)),
  widthMm: orNull(millimetres(10_000)),
  purchaseOrder: orNull(text(1, 100)).meta({
    description: 'The number of your order under which the mill delivered.',
  }),
  declarationOfPerformance: orNull(text(1, 100)).meta({ description: 'Its number.' }),
  steelmakingProcess: orNull(text(1, 50)).meta({ description: 'For example BOF or EAF.' }),
  chemistry: orNull(chemistry).meta({ description: 'Percent by mass, by element symbol.' }),
  analysis: orNull(analysis).meta({
    description: 'Whether chemistry is the analysis of the ladle or of the product.',
  }),
  statedCev: orNull(between(0, 5)).meta({ description: 'The carbon equivalent as the mill states it.' }),
  solubleAluminium: orNull(between(0, 100)).meta({ description: 'Percent by mass.' }),
  mechanical: orNull(z.strictObject(mechanical).meta({ id: 'ReportedMechanicalValues' })).meta({
    description:
      'The summary of the tests. If it is left out, the least favourable value of each property is taken from `tests`; a value of unknown kind does not count.',
  }),
  tests: orNull(listOf(materialTest, { most: mostTests })).meta({
    description: 'The tests one by one.',
  }),
  inspector: orNull(text(1, 200)).meta({ description: 'The person who signed the document.' }),
  issuedOn: orNull(fullDate),
} satisfies Record<keyof CertificateContent, z.ZodType>

export const wholeCertificate = z.strictObject(content)

const registration = z.strictObject({ ...numbers, ...content }).meta({
  id: 'CertificateRegistration',
  examples: [
    {
      certificateNumber: 'MC-2026-0815',
      heatNumber: 'H 4711',
      standard: 'EN 10025-2',
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
      productForm: 'Plate',
      thicknessMm: 20,
      mechanical: { reHMpa: 361, rmMpa: 520, a5Percent: 24, kvJoule: 31, kvTemperatureC: -20 },
    },
  ],
})

const upsertion = z.strictObject({ ...numbers, ...edited(content) }).meta({
  id: 'CertificateUpsert',
  description: 'A certificate that exists keeps the members that are left out.',
})

export const certificateIntake = {
  body: registration,
  command: register,
  upsert: {
    body: upsertion,
    command: (
      { params, body: { certificateNumber, heatNumber, item, ...sent }, principal },
      whole,
      services,
    ) =>
      asAllowed(
        params,
        principal,
        services,
        withHonestHeat(
          { ...params, heatNumber },
          services,
          upsertCertificate(
            params.companyId,
            { certificateNumber, heatNumber, item },
            { whole: () => contentOf(whole()), edit: replaceMembers(sent as Sent<CertificateContent>) },
          ),
        ),
      ),
  },
  creates: 'MillCertificateRegistered',
  id: ({ millCertificationId }: { millCertificationId: string }) => millCertificationId,
} satisfies BulkLines<
  '/api/company/{companyId}/millcert/certificates/bulk',
  typeof registration,
  typeof upsertion,
  CertificateRecord
>

/** Refuse a correction that the company's `qualityOnly` leaves to other roles. */
export function asAllowed<Answer>(
  { companyId }: { readonly companyId: string },
  principal: Principal,
  { reader }: Services,
  correction: Command<Answer>,
): Command<Answer> {
  return keepingJudgedValues(companyId, correction, qualityOf(principal, companyId), (...certificate) =>
    isUsedOnBar(reader, ...certificate),
  )
}

/** The elements' values may be undefined by type; none that came in as JSON is. */
function contentOf({ certificateNumber, heatNumber, item, ...rest }: z.output<typeof registration>) {
  return rest as CertificateContent
}

function register(
  { params: { companyId }, body }: { params: { companyId: string }; body: z.output<typeof registration> },
  services: Services,
) {
  const { certificateNumber, heatNumber, item } = body
  const numbers = { certificateNumber, heatNumber, item }
  const registered = registerCertificate(companyId, numbers, contentOf(body))
  return withHonestHeat({ companyId, heatNumber }, services, registered)
}

/** Refuse to register a certificate whose heat number looks like another one. */
function withHonestHeat<Answer>(
  named: { readonly companyId: string; readonly heatNumber: string },
  { reader }: Services,
  command: Command<Answer>,
): Command<Answer> {
  return refusingDeceivingHeat(named, command, (...heat) => findHeatSpellings(reader, ...heat))
}
