import type { PairRule } from '../domain/rulePacks/pairRules.ts'
import type { Parameter, SystemTag } from '../domain/rulePacks/ruleBook.ts'
import type { Rule } from '../domain/rulePacks/rulePackRules.ts'
import type { Family } from '../domain/tags/tag.ts'

/** The JSON document of a shipped rule pack. `rulePack.schema.json` describes each member. */
export interface RulePackDocument extends PackContent {
  readonly $schema: string
  /** Raised with every change of the document, because a company's stream records the version in force. */
  readonly version: number
  /** The editions of the standards that it follows. */
  readonly edition: string
  /** Who restated the figures, and from what. */
  readonly restated: string
  readonly covers: readonly string[]
  readonly doesNotCover: readonly string[]
}

/** The part of a document that decides what the pack says of a subject. */
export interface PackContent {
  readonly id: string
  readonly name: string
  /** The choices of a subscriber, by name. An expression reads the chosen value by this name. */
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly tags: readonly SystemTag[]
  readonly tables?: Readonly<Record<string, Table>>
  readonly definitions?: readonly Definition[]
  readonly rules: readonly Rule[]
  /** Rules that look at a certificate and a line together, in packs of companies. */
  readonly pairRules?: readonly WrittenPairRule[]
}

export interface WrittenPairRule extends Omit<PairRule, 'when' | 'rulePackId' | 'packName'> {
  readonly when: string
}

export type TableValues =
  | number
  | readonly string[]
  | Readonly<Record<string, number>>
  | Readonly<Record<string, readonly (number | null)[]>>
  | Readonly<Record<string, Readonly<Record<string, number>>>>

export interface Table {
  /** The meaning of the figures, and their unit. */
  readonly about: string
  /** The property in the table `steps` that the figures limit; `element` where each figure names its own. */
  readonly of?: string
  readonly source?: string
  readonly restated?: string
  /** The reliability of a figure, by its row and column; `*` holds for all others. */
  readonly confidence?: Readonly<Record<string, string>>
  readonly values: TableValues
}

/** A named expression that several rules need. It is evaluated once for each subject. */
export interface Definition {
  readonly name: string
  readonly family: Family
  readonly about: string
  /** CEL over the subject, the tables and the earlier definitions. */
  readonly expression: string
}
