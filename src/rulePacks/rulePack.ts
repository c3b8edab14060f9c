import type { Family, Severity } from '../domain/tag.ts'

/** A rule pack as its JSON document has it; `rulePack.schema.json` says what each member means. */
export interface RulePackDocument {
  readonly $schema: string
  readonly id: string
  readonly name: string
  /** Raised with every change of the document: the version in force for a company is a fact in its stream. */
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
  /** Names the tag within the pack; its tagId follows from it. */
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
  /** Where the figures come from, their unit and how sure they are. */
  readonly about: string
  readonly values: TableValues
}

/** A name for what several rules need, evaluated once a subject. */
export interface Definition {
  readonly name: string
  readonly family: Family
  readonly about: string
  /** CEL, over the subject, the tables and the definitions before it. */
  readonly expression: string
}

export interface Rule {
  readonly ruleId: string
  readonly family: Family
  /** CEL; true means: assign the tag. */
  readonly when: string
  /** The key of the tag. */
  readonly tag: string
  readonly clause: string
  readonly explanation: string
}
