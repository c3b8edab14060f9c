import { entrySubjects } from '../domain/audit/audited.ts'
import { cutStatuses, plannedCutStatuses } from '../domain/bars/barContent.ts'
import { barStatuses } from '../domain/bars/barEvents.ts'
import { certificateFields } from '../domain/certificates/certificateContent.ts'
import { certificateStatuses } from '../domain/certificates/certificateStatus.ts'
import { elementSymbols } from '../domain/certificates/elements.ts'
import { roles } from '../domain/company/companyEvents.ts'
import { documentTypes } from '../domain/documents/document.ts'
import { actorKinds } from '../domain/kernel/event.ts'
import type { Fields, Kind } from '../domain/kernel/fields.ts'
import { lineItemStatuses } from '../domain/orders/lineItemStatus.ts'
import { orderFields } from '../domain/orders/orderContent.ts'
import { families, tagFields } from '../domain/tags/tag.ts'
import { policySeverities } from '../domain/verdict/releasePolicy.ts'
import { wordsFromWorst } from '../domain/verdict/verdictWord.ts'
import { importKinds } from '../imports/read.ts'
import { labelPapers } from '../lib/pdf/labels.ts'
import { csvForms } from '../lib/sheets/csv.ts'
import { faultCodes, unreadableReasons } from '../problems/faults.ts'
import { runKinds, runStatuses } from '../processes/runs/companyRuns.ts'
import { webhookStates } from '../projections/company/webhooks.ts'
import rulePackSchema from '../rulePacks/rulePack.schema.json' with { type: 'json' }
import { labelContents } from './bars/labels.ts'
import { filterStatuses } from './company/filterProfiles.ts'
import { recordOutcomes } from './kit/schemas/fields.ts'

/** The lists of values that several schemas have. Each is a component of the document, so that generators make one type of it. */

const { confidence } = rulePackSchema.properties.tables.additionalProperties.properties

const lists: Readonly<Record<string, readonly string[]>> = {
  WebhookSending: webhookStates,
  ActorKind: actorKinds,
  BarStatus: barStatuses,
  CertificateStatus: certificateStatuses,
  ChemicalElement: elementSymbols,
  CompanyRunKind: runKinds,
  CompanyRunStatus: runStatuses,
  Confidence: confidence.additionalProperties.enum,
  CsvSeparator: csvForms,
  CutStatus: cutStatuses,
  DocumentType: documentTypes,
  FaultCode: faultCodes,
  FilterStatus: filterStatuses,
  ImportKind: importKinds,
  LabelContent: labelContents,
  LabelPaper: labelPapers,
  LineItemStatus: lineItemStatuses,
  PlannedCutStatus: plannedCutStatuses,
  PolicySeverity: policySeverities,
  RecordOutcome: recordOutcomes,
  Role: roles,
  SubjectType: entrySubjects,
  TagFamily: families,
  UnreadableReason: unreadableReasons,
  VerdictWord: wordsFromWorst,
}

const declared = [certificateFields, orderFields, tagFields].flatMap(listsIn)

const names = new Map([...Object.entries(lists), ...declared].map(([name, values]) => [keyOf(values), name]))

/** Return the name of a list of values, in whatever order; undefined for a list that only one schema has. */
export function nameOfEnum(values: readonly unknown[]): string | undefined {
  return names.get(keyOf(values))
}

/** The lists of values of declared fields, by their names. */
function listsIn(fields: Fields): (readonly [name: string, values: readonly string[]])[] {
  return Object.values(fields).flatMap(({ kind }) => listsOf(kind))
}

function listsOf(kind: Kind): ReturnType<typeof listsIn> {
  switch (kind.is) {
    case 'oneOf':
      return [[kind.name, kind.values]]
    case 'object':
      return listsIn(kind.fields)
    case 'variants':
      return Object.values(kind.variants).flatMap(listsOf)
    case 'list':
      return listsOf(kind.of.kind)
    default:
      return []
  }
}

function keyOf(values: readonly unknown[]): string {
  return values.toSorted().join()
}
