import type { Parameter } from '../domain/ruleBook.ts'
import type { Family, Severity } from '../domain/tag.ts'

/** The JSON document of a rule pack. `rulePack.schema.json` describes each member. */
export interface RulePackDocument {
  readonly $schema: string
  readonly id: string
  readonly name: string
  /** Raised with every change of the document, because a company's stream records the version in force. */
  readonly version: number
  /** The version of the rule language, by default 1. It is part of the hash. */
  readonly language?: number
  /** The editions of the standards that it follows. */
  readonly edition: string
  readonly covers: readonly string[]
  readonly doesNotCover: readonly string[]
  /** The choices of a subscriber, by name. An expression reads the chosen value by this name. */
  readonly parameters?: Readonly<Record<string, Parameter>>
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
  /** The meaning of the figures, and their unit. */
  readonly about: string
  /** The property in the table `steps` that the figures limit; `element` where each figure names its own. */
  readonly of?: string
  readonly source?: string
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

export interface Rule {
  readonly ruleId: string
  readonly family: Family
  /** CEL. If it is true, the rule assigns the tag. */
  readonly when: string
  /** The key of the tag. */
  readonly tag: string
  readonly clause: string
  /** A part in braces is replaced by the value that the rule read: of a field, a definition or a look-up. */
  readonly explanation: string
  /** The rule stands for one rule for each of these, in which each `{name}` is replaced by its value. */
  readonly each?: readonly Readonly<Record<string, string>>[]
}

/** Return all rules. A rule with `each` is written out. */
export function rulesOf({ rules }: RulePackDocument): readonly Rule[] {
  return rules.flatMap(({ each, ...rule }) => each?.map((words) => withWords(rule, words)) ?? [rule])
}

function withWords(rule: Rule, words: Readonly<Record<string, string>>): Rule {
  const replaced = Object.entries(rule).map(([name, text]) => [
    name,
    (text as string).replaceAll(/\{(\w+)\}/g, (all, word) => words[word] ?? all),
  ])
  return Object.fromEntries(replaced)
}
