import {
  type ContentOf,
  date,
  identifier,
  length,
  listOf,
  number,
  numbersByName,
  object,
  oneOf,
  orNull,
  text,
  whole,
} from '../kernel/fields.ts'
import { throughThickness } from '../steel/steelDesignation.ts'
import { elementSymbols } from './elements.ts'
import { materialTest, mechanicalFields } from './materialTests.ts'
import { surfaceClasses, ultrasonicClasses } from './steelOptions.ts'

/** The values that a mill certificate states. */

/** EN 10204: declaration of compliance, test report, inspection certificates. */
export const inspectionDocuments = ['2.1', '2.2', '3.1', '3.2'] as const
export type InspectionDocument = (typeof inspectionDocuments)[number]
const productForms = ['Plate', 'Coil', 'Section', 'HollowSection', 'Bar', 'Tube', 'Other'] as const
export type ProductForm = (typeof productForms)[number]

const bendResults = ['passed', 'failed'] as const

/** The numbers are the identity of a certificate and never change. */
export const certificateNumbers = {
  certificateNumber: identifier(),
  heatNumber: identifier(),
  item: orNull(
    identifier({ about: 'The product, for a document that covers several products of one heat.' }),
  ),
}

export const mostTests = 200

/** The values of a certificate, which a correction may change, in the order in which they are shown. */
export const certificateFields = {
  documentRevision: orNull(
    whole({ least: 0, most: 999, about: 'From 1, if the mill has issued the document anew.' }),
  ),
  standard: orNull(text({ most: 50, about: 'For example EN 10025-2.' })),
  grade: text({ most: 50, about: 'For example S355J2+N.' }),
  profile: orNull(text({ most: 50, about: 'For example HEA 200.' })),
  deliveryCondition: orNull(
    text({
      most: 10,
      about: 'AR, N, M, Q or QT as a rule. It counts as part of the grade: S355J2 with N is S355J2+N.',
    }),
  ),
  zQuality: orNull(
    oneOf('ZQuality', throughThickness, {
      about: 'The quality class of EN 10164. It counts as part of the grade.',
    }),
  ),
  ultrasonicClass: orNull(oneOf('UltrasonicClass', ultrasonicClasses, { about: 'EN 10160.' })),
  surfaceClass: orNull(oneOf('SurfaceClass', surfaceClasses, { about: 'EN 10163.' })),
  inspectionDocument: oneOf('InspectionDocument', inspectionDocuments, {
    about: 'The inspection document type of EN 10204.',
  }),
  manufacturer: orNull(text({ most: 200 })),
  productForm: orNull(oneOf('ProductForm', productForms)),
  thicknessMm: orNull(length({ most: 1_000 })),
  widthMm: orNull(length({ most: 10_000 })),
  nominalDiameterMm: orNull(length({ most: 100, about: 'Only for reinforcing steel.' })),
  purchaseOrder: orNull(
    text({ most: 100, about: 'The number of your order under which the mill delivered.' }),
  ),
  /** Regulation (EU) 305/2011. */
  declarationOfPerformance: orNull(text({ most: 100, about: 'Its number.' })),
  steelmakingProcess: orNull(text({ most: 50, about: 'For example BOF or EAF.' })),
  chemistry: orNull(
    numbersByName({
      name: 'Chemistry',
      names: elementSymbols,
      least: 0,
      most: 100,
      about: 'Percent by mass, by element symbol.',
    }),
  ),
  analysis: orNull(
    oneOf('Analysis', ['ladle', 'product'], {
      about: 'Whether chemistry is the analysis of the ladle or of the product.',
    }),
  ),
  statedCev: orNull(
    number({ least: 0, most: 5, unit: '%', about: 'The carbon equivalent as the mill states it.' }),
  ),
  /** It binds nitrogen as total aluminium does. */
  solubleAluminium: orNull(number({ least: 0, most: 100, unit: '%', about: 'Percent by mass.' })),
  mechanical: orNull(
    object('MechanicalValues', mechanicalFields, {
      about:
        'The summary of the tests. If it is left out, the least favourable value of each property is taken from `tests`; a value of unknown kind does not count.',
    }),
  ),
  tests: orNull(listOf(materialTest, { most: mostTests, about: 'The tests one by one.' })),
  bend: orNull(oneOf('BendResult', bendResults, { about: 'The result of the bend test.' })),
  rebend: orNull(oneOf('BendResult', bendResults, { about: 'The result of the rebend test.' })),
  inspector: orNull(text({ most: 200, about: 'The person who signed the document.' })),
  issuedOn: orNull(date()),
}

export type CertificateContent = ContentOf<typeof certificateFields>
