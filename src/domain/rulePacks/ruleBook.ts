import type { CertificateContent } from '../certificates/certificateContent.ts'
import type { OrderContent } from '../orders/orderContent.ts'
import type { Family, Severity } from '../tags/tag.ts'
import type { PairRule, Scalar } from './pairRules.ts'

/** Rule packs as the domain sees them: the shipped packs, and their outcomes for a subject. */

/** A choice of a subscriber. */
export interface Parameter {
  readonly description: string
  readonly enum: readonly string[]
  readonly default: string
}

/** The chosen values of a pack's parameters, by name. */
export type Parameters = Readonly<Record<string, string>>

/** One version of a rule pack. The hash tells apart two documents with one version number. */
export interface RulePackVersion {
  readonly rulePackId: string
  readonly name: string
  readonly version: number
  /** SHA-256 of the document's content, in hexadecimal. */
  readonly hash: string
}

/** A system tag that a pack provisions. Its tagId follows from the company, the pack and the key. */
export interface SystemTag {
  readonly key: string
  readonly family: Family
  readonly name: string
  readonly color: string
  readonly severity: Severity
  readonly description: string
}

/** A pack with the tags that subscribing provisions. */
export interface RulePackOffer extends RulePackVersion {
  readonly tags: readonly SystemTag[]
  /** Undefined when there is nothing to choose. */
  readonly choices?: Readonly<Record<string, Parameter>> | undefined
  /** The most steps of an evaluation of one subject; undefined for a shipped pack. */
  readonly cost?: number | undefined
  /** The rules of a company's pack that look at a certificate and a line together. */
  readonly pairRules?: readonly PairRule[] | undefined
}

/** A subject as rules see it: the fields of the API. */
export type RuleSubject =
  | {
      readonly family: 'millCert'
      readonly content: CertificateContent & {
        readonly certificateNumber: string
        readonly heatNumber: string
      }
    }
  | { readonly family: 'order'; readonly content: OrderContent & { readonly orderNumber: string } }

/** Values by the words of the expression. A missing value is null; a list holds each value once. */
export type Evidence = Readonly<Record<string, Scalar | readonly Scalar[]>>

/** The outcome of one rule for one subject. */
export interface RuleOutcome {
  readonly ruleId: string
  /** The key of the tag that a match assigns. */
  readonly tag: string
  readonly clause: string
  /** Empty for a pack that the company has written itself: its document has the expression of the rule. */
  readonly expression: string
  readonly explanation: string
  readonly result: 'matched' | 'not-matched' | 'not-evaluated'
  /** Look up the values that the rule saw. Lazy, because most outcomes need none. */
  readonly values: () => Evidence
  /** Why it could not be evaluated. */
  readonly reason?: string
  /** The fields that were missing for it. */
  readonly missing?: readonly string[]
}

/** The rule packs of this release. */
export interface RuleBook {
  /** The newest version of each, in the order of their ids. */
  readonly packs: readonly RulePackOffer[]
  /** By default the newest version. */
  find(rulePackId: string, version?: number): RulePackOffer | undefined
  /** The document of a version, by default of the newest. */
  documentOf(rulePackId: string, version?: number): object | undefined
  /**
   * Evaluate a pack. Pure, never throws; undefined for a pack that is not shipped in this version. `subscribed` has the
   * ids of all packs in force, because a pack leaves to another one what that covers.
   */
  evaluate(
    pack: Pick<RulePackVersion, 'rulePackId' | 'version' | 'hash'> & {
      readonly parameters?: Parameters | undefined
    },
    subject: RuleSubject,
    subscribed?: readonly string[],
  ): readonly RuleOutcome[] | undefined
}

/** A release without rule packs. */
export const noRuleBook: RuleBook = {
  packs: [],
  find: () => undefined,
  documentOf: () => undefined,
  evaluate: () => undefined,
}
