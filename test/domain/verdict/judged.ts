import { pick } from '../../../src/domain/kernel/fields.ts'
import {
  type JudgedCertificate,
  type JudgedLine,
  type JudgedOrder,
  judgedFields,
  judgedLineFields,
  judgedOrderFields,
} from '../../../src/domain/verdict/verdictFacts.ts'

/** Records of which a verdict finds nothing together. A spec changes only the values that matter to it. */

export const judgedCertificate: JudgedCertificate = {
  ...pick(judgedFields, {}),
  millCertificationId: 'certificate',
  standard: 'EN 10025-2',
  grade: 'S355J2+N',
  inspectionDocument: '3.1',
  heatNumber: 'H 4711',
  status: 'Released',
  tags: [],
  notJudged: [],
  documents: [{ documentId: 'original' }],
  stock: null,
}
export const judgedLine: JudgedLine = {
  ...pick(judgedLineFields, {}),
  lineItemId: 'line',
  lineNumber: 10,
  grade: 'S355J2',
  lengthMm: 6_000,
  quantity: 2,
  acceptedCuts: 1,
}
export const judgedOrder: JudgedOrder = {
  ...pick(judgedOrderFields, {}),
  orderId: 'order',
  orderNumber: 'SO-1',
  requiredInspectionDocument: '3.1',
  executionClass: 'EXC2',
  tags: [],
  lineItems: [judgedLine],
}
