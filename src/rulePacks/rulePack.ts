import type { Family, Severity } from '../domain/tag.ts'

/** The JSON document of a rule pack. `rulePack.schema.json` describes each member. */
export interface RulePackDocument {
  readonly $schema: string
  readonly id: string
  readonly name: string
  /** Raised with every change of the document, because a company's stream records the version in force. */
  readonly version: number
  /** The editions of the standards that it follows. */
  readonly edition: string
  readonly covers: readonly string[]
  readonly doesNotCover: readonly string[]
  readonly tags: readonly TagDefinition[]
  readonly tables?: Readonly<Record<string, Table>>
  readonly definitions?: readonly Definition[]
  readonly rules: readonly Rule[]
}

export interface TagDefinition {
  /** Names the tag within the pack. The tagId is derived from it. */
  readonly key: string
  readonly family: Family
  readonly name: string
  readonly color: string
  readonly severity: Severity
  readonly description: string
}

export type TableValues =
  | number
  | readonly string[]
  | Readonly<Record<string, number>>
  | Readonly<Record<string, readonly (number | null)[]>>
  | Readonly<Record<string, Readonly<Record<string, number>>>>

export interface Table {
  /** The source of the figures, their unit and how reliable they are. */
  readonly about: string
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

export interface Rule {
  readonly ruleId: string
  readonly family: Family
  /** CEL. If it is true, the rule assigns the tag. */
  readonly when: string
  /** The key of the tag. */
  readonly tag: string
  readonly clause: string
  readonly explanation: string
}
