import { readFileSync } from 'node:fs'

/** The bodies of `POST …/millcert/certificates` and `POST …/orders`, of which the demo reads only the numbers. */
export type ExampleCertificate = { readonly certificateNumber: string; readonly heatNumber: string }
export type ExampleOrder = {
  readonly orderNumber: string
  readonly lineItems: readonly { readonly lineNumber: number }[]
}

export type Family = 'millCert' | 'order'
export type ExampleTag = {
  readonly family: Family
  readonly name: string
  readonly color: string
  readonly description: string | null
  readonly severity: string | null
}

/** Subjects by their numbers, tags by their names: ids differ from company to company. */
export type ExampleAssignments = {
  readonly certificates: readonly (ExampleCertificate & { readonly tags: readonly string[] })[]
  readonly orders: readonly { readonly orderNumber: string; readonly tags: readonly string[] }[]
}

export const barStatuses = ['Draft', 'Approved', 'Started', 'Completed'] as const
export type BarStatus = (typeof barStatuses)[number]

export type ExampleCut = {
  readonly orderNumber: string
  readonly lineNumber: number
  readonly lengthMm: number
  /** How many cuts of this length: one cut is one piece. */
  readonly pieces: number
  readonly status: 'Proposed' | 'Accepted' | 'Rejected'
}
export type ExampleBar = Partial<ExampleCertificate> & {
  readonly stockLengthMm: number
  readonly grade: string
  /** Where the demo brings the bar. */
  readonly status: BarStatus
  readonly cuts: readonly ExampleCut[]
}
export type ExamplePlan = { readonly name: string; readonly bars: readonly ExampleBar[] }

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../examples/${file}`, import.meta.url), 'utf8'))

/** Everything under `examples/`. */
export const readExamples = () => ({
  certificates: read('certificates.json') as ExampleCertificate[],
  orders: read('orders.json') as ExampleOrder[],
  tags: read('tags.json') as ExampleTag[],
  assignments: read('assignments.json') as ExampleAssignments,
  plans: read('plans.json') as ExamplePlan[],
})
export type Examples = ReturnType<typeof readExamples>
