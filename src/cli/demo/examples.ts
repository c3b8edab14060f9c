import { readFileSync } from 'node:fs'

/** The body of `POST …/millcert/certificates`. The demo itself reads only these members. */
export type ExampleCertificate = { readonly certificateNumber: string; readonly heatNumber: string }
/** The members of such a body that are printed on the original of the mill. */
export type ExampleOriginal = ExampleCertificate & {
  readonly inspectionDocument: string
  readonly grade: string
  readonly standard?: string
  readonly manufacturer?: string
  readonly issuedOn?: string
  readonly productForm?: string
  readonly profile?: string
  readonly thicknessMm?: number
  readonly chemistry?: Readonly<Record<string, number>>
  readonly mechanical?: {
    readonly [Name in 'reHMpa' | 'rmMpa' | 'a5Percent' | 'kvJoule' | 'kvTemperatureC']?: number
  }
}
/** The body of `POST …/orders`. The demo itself reads only these members. */
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

/** Subjects have their numbers here and tags their names, because ids differ between companies. */
type ExampleAssignments = {
  readonly certificates: readonly (ExampleCertificate & { readonly tags: readonly string[] })[]
  readonly orders: readonly { readonly orderNumber: string; readonly tags: readonly string[] }[]
}

export const barStatuses = ['Draft', 'Approved', 'Started', 'Completed'] as const
export type BarStatus = (typeof barStatuses)[number]

type ExampleCut = {
  readonly orderNumber: string
  readonly lineNumber: number
  readonly lengthMm: number
  /** The number of cuts of this length. One cut makes one piece. */
  readonly pieces: number
  readonly status: 'Proposed' | 'Accepted' | 'Rejected'
}
export type ExampleBar = Partial<ExampleCertificate> & {
  readonly stockLengthMm: number
  readonly grade: string
  /** The status that the demo brings the bar to. */
  readonly status: BarStatus
  readonly cuts: readonly ExampleCut[]
}
export type ExamplePlan = { readonly name: string; readonly bars: readonly ExampleBar[] }

/** Draft bars that show every finding of a verdict, and the records that only they need. */
export type ExampleFindings = {
  readonly certificates: readonly ExampleOriginal[]
  readonly orders: readonly ExampleOrder[]
  /** The certificates that get no original. */
  readonly withoutOriginal: readonly ExampleCertificate[]
  readonly decisions: readonly (ExampleCertificate & {
    readonly decision: 'void' | 'reject'
    readonly reason: string
  })[]
  /** The body of `PUT …/release-policy`. */
  readonly releasePolicy: object
  readonly plan: {
    readonly name: string
    readonly bars: readonly (ExampleBar & {
      /** The code of the finding that the bar is an example of. It may have other findings. */
      readonly finding: string
    })[]
  }
}

/** Read all files under `examples/`. */
export function readExamples() {
  return {
    certificates: read('certificates.json') as ExampleOriginal[],
    orders: read('orders.json') as ExampleOrder[],
    tags: read('tags.json') as ExampleTag[],
    assignments: read('assignments.json') as ExampleAssignments,
    plans: read('plans.json') as ExamplePlan[],
    findings: read('findings.json') as ExampleFindings,
  }
}
export type Examples = ReturnType<typeof readExamples>

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../examples/${file}`, import.meta.url), 'utf8'))
}
