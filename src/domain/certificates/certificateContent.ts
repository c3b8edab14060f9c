import type { FieldKinds, ObjectKind } from '../kernel/fields.ts'
import type { ThroughThickness } from '../steel/steelDesignation.ts'
import { elementSymbols } from './elements.ts'
import { type MaterialTest, type MechanicalValues, materialTest } from './materialTests.ts'

/** EN 10204: declaration of compliance, test report, inspection certificates. */
export const inspectionDocuments = ['2.1', '2.2', '3.1', '3.2'] as const
export type InspectionDocument = (typeof inspectionDocuments)[number]
/** The sample that `chemistry` describes comes from the ladle (the heat) or from the product. */
export const analyses = ['ladle', 'product'] as const
export type Analysis = (typeof analyses)[number]
export const productForms = ['Plate', 'Coil', 'Section', 'HollowSection', 'Bar', 'Tube', 'Other'] as const
export type ProductForm = (typeof productForms)[number]

/** The values of a certificate, which a correction may change. */
export interface CertificateContent {
  readonly standard: string | null
  readonly grade: string
  /** As the mill writes it, for example HEA 200. */
  readonly profile: string | null
  /** How the mill delivered the steel, for example N or AR. It counts as part of the grade's name. */
  readonly deliveryCondition: string | null
  /** Deformation properties perpendicular to the surface (EN 10164). It counts as part of the grade's name. */
  readonly zQuality: ThroughThickness | null
  readonly inspectionDocument: InspectionDocument
  readonly manufacturer: string | null
  readonly productForm: ProductForm | null
  readonly thicknessMm: number | null
  readonly widthMm: number | null
  /** The number of the buyer's order under which the mill delivered. */
  readonly purchaseOrder: string | null
  /** The number of the declaration of performance (Regulation (EU) 305/2011). */
  readonly declarationOfPerformance: string | null
  readonly steelmakingProcess: string | null
  /** Mass % by element symbol. */
  readonly chemistry: Readonly<Record<string, number>> | null
  readonly analysis: Analysis | null
  /** The carbon equivalent as the mill states it, mass %. */
  readonly statedCev: number | null
  /** Mass %. It binds nitrogen as total aluminium does. */
  readonly solubleAluminium: number | null
  /** The summary of the tests. It is derived from `tests` unless the caller states it. */
  readonly mechanical: MechanicalValues | null
  readonly tests: readonly MaterialTest[] | null
  /** The person who signed the document. */
  readonly inspector: string | null
  /** RFC 3339 full-date. */
  readonly issuedOn: string | null
}

const mechanical: ObjectKind = {
  name: 'Mechanical',
  fields: {
    reHMpa: 'number',
    rmMpa: 'number',
    a5Percent: 'number',
    kvJoule: 'number',
    kvTemperatureC: 'number',
  } satisfies FieldKinds<keyof MechanicalValues>,
}

const chemistry: ObjectKind = {
  name: 'Chemistry',
  fields: Object.fromEntries(elementSymbols.map((symbol) => [symbol, 'number'])),
}

/** In the order in which they are shown. */
export const certificateFields: FieldKinds<keyof CertificateContent> = {
  standard: 'text',
  grade: 'text',
  profile: 'text',
  deliveryCondition: 'text',
  zQuality: 'text',
  inspectionDocument: 'text',
  manufacturer: 'text',
  productForm: 'text',
  thicknessMm: 'number',
  widthMm: 'number',
  purchaseOrder: 'text',
  declarationOfPerformance: 'text',
  steelmakingProcess: 'text',
  chemistry,
  analysis: 'text',
  statedCev: 'number',
  solubleAluminium: 'number',
  mechanical,
  tests: { listOf: materialTest },
  inspector: 'text',
  issuedOn: 'text',
}
