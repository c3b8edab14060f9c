import { cutStatuses, plannedCutStatuses } from '../../../domain/bars/barContent.ts'
import { barStatuses } from '../../../domain/bars/barEvents.ts'
import {
  analyses,
  inspectionDocuments,
  productForms,
} from '../../../domain/certificates/certificateContent.ts'
import { certificateStatuses } from '../../../domain/certificates/certificateStatus.ts'
import { elementSymbols } from '../../../domain/certificates/elements.ts'
import { gaugeLengths, testDirections } from '../../../domain/certificates/materialTests.ts'
import { roles } from '../../../domain/company/company.ts'
import { documentTypes } from '../../../domain/documents/document.ts'
import { actorKinds } from '../../../domain/kernel/event.ts'
import { lineItemStatuses } from '../../../domain/orders/lineItemStatus.ts'
import { executionClasses } from '../../../domain/orders/orderContent.ts'
import { throughThickness } from '../../../domain/steel/steelDesignation.ts'
import { policySeverities, severities } from '../../../domain/verdict/releasePolicy.ts'
import { importKinds } from '../../../imports/read.ts'
import { csvForms } from '../../../lib/sheets/csv.ts'
import { faultCodes } from '../../../problems/faults.ts'
import { runKinds, runStatuses } from '../../../processes/runs/companyRuns.ts'
import { entrySubjects } from '../../../projections/audit/entryRows.ts'
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
