import type { CertificateContent } from './certificateContent.ts'
import type { OrderContent } from './orderContent.ts'
import type { Family, Severity } from './tag.ts'

/** What the domain knows of rule packs: which there are, and what their rules say of a subject. */

/** A rule pack of one version. Two documents of one version number are told apart by their hash. */
export interface RulePackVersion {
  readonly rulePackId: string
  readonly name: string
  readonly version: number
  /** Of the document's content: SHA-256 in hexadecimal. */
  readonly hash: string
}

/** A system tag as a pack brings it; its tagId follows from the company, the pack and the key. */
export interface SystemTag {
  readonly key: string
  readonly family: Family
  readonly name: string
  readonly color: string
  readonly severity: Severity
  readonly description: string
}

/** What subscribing brings. */
export interface RulePackOffer extends RulePackVersion {
  readonly tags: readonly SystemTag[]
}

/** What rules look at: the fields of the interface. */
export type RuleSubject =
  | {
      readonly family: 'millCert'
      readonly content: CertificateContent & {
        readonly certificateNumber: string
        readonly heatNumber: string
      }
    }
  | { readonly family: 'order'; readonly content: OrderContent & { readonly orderNumber: string } }

export type Scalar = string | number | boolean | null

/** By the words of the expression; null for what is missing. Of a list of values, each once. */
export type Evidence = Readonly<Record<string, Scalar | readonly Scalar[]>>

/** What one rule says of one subject. */
export interface RuleOutcome {
  readonly ruleId: string
  /** The key of the tag that a match assigns. */
  readonly tag: string
  readonly clause: string
  readonly expression: string
  readonly explanation: string
  readonly result: 'matched' | 'not-matched' | 'not-evaluated'
  /** The values it saw: looked up when asked for, since for most rules nobody asks. */
  readonly values: () => Evidence
  /** Why it could not be evaluated. */
  readonly reason?: string
}

/** The rule packs that this release ships. */
export interface RuleBook {
  /** In the order of their ids. */
  readonly packs: readonly RulePackOffer[]
  find(rulePackId: string): RulePackOffer | undefined
  /** Pure, and never throws; undefined for a pack that is not shipped in just this version. */
  evaluate(
    pack: Pick<RulePackVersion, 'rulePackId' | 'version' | 'hash'>,
    subject: RuleSubject,
  ): readonly RuleOutcome[] | undefined
}

/** A release without rule packs. */
export const noRuleBook: RuleBook = { packs: [], find: () => undefined, evaluate: () => undefined }
