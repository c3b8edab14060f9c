import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { judgedBy } from '../../src/domain/judgedBy.ts'
import { defaultReleasePolicy } from '../../src/domain/releasePolicy.ts'
import { judge } from '../../src/domain/verdict.ts'
import type {
  JudgedCertificate,
  JudgedLine,
  JudgedOrder,
  VerdictFacts,
} from '../../src/domain/verdictFacts.ts'

/** The findings of a version of the judgement, on facts of every kind. */

const grades = [
  ...(['S275J2', 'S355', 'S355J0', 'S355J2', 'S355J2+N', 'S355J2+AR', 'S355J2+M', 'S355J2+Z25'] as const),
  ...(['S355K2+N', 'S355J2C', 'S355NL', 'S355J2W+N', 'S355J2H', 'S460N', '1.0577', 'A572-50'] as const),
]

const certificate: JudgedCertificate = {
  ...{ millCertificationId: 'certificate', standard: null, grade: 'S355J2+N', deliveryCondition: null },
  ...{ zQuality: null, inspectionDocument: '3.1', status: 'Released', profile: null, productForm: null },
  ...{ tags: [], notJudged: [], documents: [{ documentId: 'original' }] },
}
const line: JudgedLine = {
  ...{ lineItemId: 'line', lineNumber: 10, standard: null, grade: 'S355J2+N', profile: null },
  cancelled: false,
}
const order: JudgedOrder = {
  ...{ orderId: 'order', orderNumber: 'SO-1', requiredInspectionDocument: '3.1', executionClass: 'EXC2' },
  ...{ tags: [], lineItems: [line] },
}
const facts: VerdictFacts = {
  ...{ bar: { grade: 'S355J2+N', profile: null }, certificate, orders: [order], overrides: [] },
  ...{ blockedOfSameHeat: { count: 0, first: [] }, policy: defaultReleasePolicy },
  acceptedCuts: [{ cutId: 'cut', orderId: 'order', lineItemId: 'line' }],
}
const of = (changed: Partial<JudgedCertificate>) => ({
  ...facts,
  certificate: { ...certificate, ...changed },
})
const forOrder = (changed: Partial<JudgedOrder>) => ({ ...facts, orders: [{ ...order, ...changed }] })
const forLine = (changed: Partial<JudgedLine>) => forOrder({ lineItems: [{ ...line, ...changed }] })
const tags = (['Block', 'Flag', 'Audit', null] as const).map((severity, index) => ({
  ...{ tagId: `tag ${index}`, name: `Tag ${index}`, severity },
}))

const others: Readonly<Record<string, VerdictFacts>> = {
  'nothing stands against it': facts,
  'no certificate': { ...facts, certificate: null },
  'no certificate in EXC3': { ...forOrder({ executionClass: 'EXC3' }), certificate: null },
  received: of({ status: 'Received' }),
  'received, where a release is asked for': {
    ...of({ status: 'Received' }),
    policy: { ...defaultReleasePolicy, severities: { 'certificate-not-released': 'Block' } },
  },
  rejected: of({ status: 'Rejected' }),
  voided: of({ status: 'Voided' }),
  'tags of the certificate': of({ tags }),
  'tags of the order': forOrder({ tags }),
  'a document of a lower kind': of({ inspectionDocument: '2.2' }),
  'no original': of({ documents: [] }),
  'not judged': of({ notJudged: [{ rulePackId: 'pack', rules: ['rule'], missing: ['certificate.rmMpa'] }] }),
  'a blocked certificate of the heat': { ...facts, blockedOfSameHeat: { count: 3, first: ['one', 'two'] } },
  'an order without a class and a document': forOrder({
    ...{ executionClass: null, requiredInspectionDocument: null },
  }),
  'a line without a grade': forLine({ grade: null }),
  'a cancelled line': forLine({ cancelled: true }),
  'another grade of the bar': { ...facts, bar: { grade: 'S235JR', profile: null } },
  'another profile': {
    ...forLine({ profile: 'HEA 200' }),
    certificate: { ...certificate, profile: 'HEB 200' },
  },
  'a delivery condition beside the grade': of({ grade: 'S355J2', deliveryCondition: 'M' }),
  'an overridden Block': {
    ...of({ tags: tags.slice(0, 1) }),
    overrides: judge(of({ tags: tags.slice(0, 1) })).findings.map(({ key }) => ({
      ...{ findings: [key], reason: 'The designer agreed.', reference: null },
      ...{ by: 'alice', at: '2026-03-01T08:00:00.000Z' },
    })),
  },
}

/** The findings on each case, without their messages: those may be said better without a new version. */
export function verdictsOfToday(): Readonly<Record<string, readonly string[]>> {
  const pairs = grades.flatMap((demanded) =>
    grades.map((offered): [string, VerdictFacts] => [
      `${demanded} demanded, ${offered} offered`,
      { ...forLine({ grade: demanded }), certificate: { ...certificate, grade: offered } },
    ]),
  )
  return Object.fromEntries(
    [...pairs, ...Object.entries(others)].map(([name, facts]) => [
      name,
      judge(facts).findings.map(({ message: _, severity, code, key, override, ...rest }) =>
        [severity, code, key, ...Object.values(rest), ...(override ? ['overridden'] : [])].join(' '),
      ),
    ]),
  )
}

const folder = new URL('./verdicts/', import.meta.url).pathname
const file = `${folder}verdict-${judgedBy.verdict}-steelGrades-${judgedBy.steelGrades}.json`

export function goldenVerdicts(): ReturnType<typeof verdictsOfToday> | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Write the findings of a new version. */
export function writeVerdicts(): string[] {
  if (goldenVerdicts()) return []
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(verdictsOfToday(), null, 1)}\n`)
  return [file]
}
