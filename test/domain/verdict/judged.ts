import { pick } from '../../../src/domain/kernel/fields.ts'
import { defaultReleasePolicy } from '../../../src/domain/verdict/releasePolicy.ts'
import {
  aloneInHeat,
  type JudgedCertificate,
  type JudgedLine,
  type JudgedOrder,
  judgedFields,
  judgedLineFields,
  judgedOrderFields,
  type VerdictFacts,
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
export const judgedFacts: VerdictFacts = {
  bar: { grade: 'S355J2', profile: null },
  heatRead: { heatNumber: 'h-4711', marked: true },
  certificate: judgedCertificate,
  sameHeat: aloneInHeat,
  acceptedCuts: [{ cutId: 'cut', orderId: 'order', lineItemId: 'line', lengthMm: 6_000 }],
  orders: [judgedOrder],
  policy: defaultReleasePolicy,
  pairRules: [],
  overrides: [],
}
