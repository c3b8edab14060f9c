import { cutStatuses, plannedCutStatuses } from '../../../domain/barContent.ts'
import { analyses, inspectionDocuments, productForms } from '../../../domain/certificateContent.ts'
import { certificateStatuses } from '../../../domain/certificateStatus.ts'
import { roles } from '../../../domain/company.ts'
import { documentTypes } from '../../../domain/document.ts'
import { elementSymbols } from '../../../domain/elements.ts'
import { actorKinds } from '../../../domain/event.ts'
import { lineItemStatuses } from '../../../domain/lineItemStatus.ts'
import { gaugeLengths, testDirections } from '../../../domain/materialTests.ts'
import { executionClasses } from '../../../domain/orderContent.ts'
import { barStatuses } from '../../../domain/productionPlanBar.ts'
import { policySeverities, severities } from '../../../domain/releasePolicy.ts'
import { throughThickness } from '../../../domain/steelDesignation.ts'
import { importKinds } from '../../../imports/read.ts'
import { faultCodes } from '../../../problems/faults.ts'
import { entrySubjects } from '../../../projections/entries.ts'
import { runKinds, runStatuses } from '../../../runs/companyRuns.ts'
import { csvForms } from '../../../sheets/csv.ts'
import { recordOutcomes } from '../schemas/fields.ts'

/** The lists of values that several schemas have. Each is a component of the document, so that generators make one type of it. */

const lists: Readonly<Record<string, readonly string[]>> = {
  ActorKind: actorKinds,
  Analysis: analyses,
  BarStatus: barStatuses,
  CertificateStatus: certificateStatuses,
  ChemicalElement: elementSymbols,
  CompanyRunKind: runKinds,
  CompanyRunStatus: runStatuses,
  CsvSeparator: csvForms,
  CutStatus: cutStatuses,
  DocumentType: documentTypes,
  ExecutionClass: executionClasses,
  FaultCode: faultCodes,
  GaugeLength: gaugeLengths,
  ImportKind: importKinds,
  InspectionDocument: inspectionDocuments,
  LineItemStatus: lineItemStatuses,
  PlannedCutStatus: plannedCutStatuses,
  PolicySeverity: policySeverities,
  ProductForm: productForms,
  RecordOutcome: recordOutcomes,
  Role: roles,
  Severity: severities,
  SubjectType: entrySubjects,
  TestDirection: testDirections,
  ZQuality: throughThickness,
}

const names = new Map(Object.entries(lists).map(([name, values]) => [keyOf(values), name]))

/** Return the name of a list of values, in whatever order; undefined for a list that only one schema has. */
export function nameOfEnum(values: readonly unknown[]): string | undefined {
  return names.get(keyOf(values))
}

function keyOf(values: readonly unknown[]): string {
  return values.toSorted().join()
}
