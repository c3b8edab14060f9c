import { z } from 'zod'
import {
  analyses,
  type CertificateContent,
  productForms,
} from '../../domain/certificates/certificateContent.ts'
import { certificateStatuses } from '../../domain/certificates/certificateStatus.ts'
import {
  gaugeLengths,
  type ImpactTest,
  type MechanicalValues,
  type TensileTest,
  testDirections,
} from '../../domain/certificates/materialTests.ts'
import { throughThickness } from '../../domain/steel/steelDesignation.ts'
import { dated, inspectionDocument, oneOf, revision, shownTag, uuid } from '../kit/schemas/fields.ts'
import { listedFindings } from './finding.ts'

/** The answered mill certificate. */

export const productForm = oneOf(productForms)

export const zQuality = oneOf(throughThickness)
export const analysis = oneOf(analyses)

export const testDirection = oneOf(testDirections)
export const gaugeLength = oneOf(gaugeLengths)

const shownTensile = z
  .object({
    kind: z.literal('tensile'),
    direction: testDirection.nullable(),
    location: z.string().nullable(),
    reHMpa: z.number().nullable(),
    reLMpa: z.number().nullable(),
    rp02Mpa: z.number().nullable(),
    rmMpa: z.number().nullable(),
    elongationPercent: z.number().nullable(),
    gaugeLength: gaugeLength.nullable(),
    rawYieldKind: z.string().nullable(),
    rawYieldMpa: z.number().nullable(),
  } satisfies Record<keyof TensileTest, z.ZodType>)
  .meta({ id: 'TensileTest' })

const shownImpact = z
  .object({
    kind: z.literal('impact'),
    direction: testDirection.nullable(),
    location: z.string().nullable(),
    temperatureC: z.number().nullable(),
    specimenWidthMm: z.number().nullable(),
    valuesJoule: z.array(z.number()),
    averageJoule: z.number().nullable(),
  } satisfies Record<keyof ImpactTest, z.ZodType>)
  .meta({ id: 'ImpactTest' })

/** Each value in an answer. */
const shownContent = {
  standard: z.string().nullable(),
  grade: z.string(),
  profile: z.string().nullable(),
  deliveryCondition: z.string().nullable(),
  zQuality: zQuality.nullable(),
  inspectionDocument,
  manufacturer: z.string().nullable(),
  productForm: productForm.nullable(),
  thicknessMm: z.number().nullable(),
  widthMm: z.number().nullable(),
  purchaseOrder: z.string().nullable(),
  declarationOfPerformance: z.string().nullable(),
  steelmakingProcess: z.string().nullable(),
  chemistry: z.record(z.string(), z.number()).nullable(),
  analysis: analysis.nullable(),
  statedCev: z.number().nullable(),
  solubleAluminium: z.number().nullable(),
  mechanical: z
    .object({
      reHMpa: z.number().nullable(),
      rmMpa: z.number().nullable(),
      a5Percent: z.number().nullable(),
      kvJoule: z.number().nullable(),
      kvTemperatureC: z.number().nullable(),
    } satisfies Record<keyof MechanicalValues, z.ZodType>)
    .meta({ id: 'MechanicalValues' })
    .nullable(),
  tests: z
    .array(z.discriminatedUnion('kind', [shownTensile, shownImpact]))
    .nullable()
    .meta({ description: 'The tests one by one, where the mill reports them.' }),
  inspector: z.string().nullable(),
  issuedOn: z.string().meta({ format: 'date' }).nullable(),
} satisfies Record<keyof CertificateContent, z.ZodType>

export const certificate = z
  .object({
    millCertificationId: uuid,
    companyId: uuid,
    certificateNumber: z.string(),
    heatNumber: z.string(),
    item: z.string().nullable(),
    ...shownContent,
    ...dated,
    status: oneOf(certificateStatuses).meta({ description: 'Whether its steel may be used.' }),
    replacedBy: uuid
      .nullable()
      .meta({ description: 'The certificate that counts in place of this one, which is voided.' }),
    revision,
    tags: z.array(shownTag),
    blocked: z.boolean().meta({ description: 'Whether one of the tags has severity Block.' }),
    findings: listedFindings,
  })
  .meta({ id: 'Certificate' })
