import { EvaluationError, serialize } from '@marcbachmann/cel-js'
import type { Scalar } from '../domain/rulePacks/pairRules.ts'
import type { Evidence } from '../domain/rulePacks/ruleBook.ts'
import { messageOf } from '../lib/failure.ts'
import type { CompiledDefinition, CompiledFamily, Needs } from './compile.ts'
import type { Run } from './pathReader.ts'

/** Evidence keeps at most this many values of a list, so that an order of any size can be recorded. */
const maxValues = 20

/** Why an expression has no value: the reason, and the missing fields. */
export interface Failure {
  readonly reason: string
  readonly missing: readonly string[]
}

/**
 * The values of the names in the expressions of a family, for one subject. A definition is evaluated when it is first
 * read, because most rules are decided without most definitions.
 */
export class Scope extends Map<string, unknown> {
  readonly #family: CompiledFamily
  readonly #failures = new Map<string, Failure>()

  /** @param given the values of the names that are neither tables nor definitions */
  constructor(family: CompiledFamily, given: Readonly<Record<string, unknown>>) {
    super(Object.entries(given))
    this.#family = family
  }

  /** Undefined for a definition without a value, so that only a rule that cannot be decided without it fails. */
  override get(name: string): unknown {
    if (this.has(name)) return super.get(name)
    const { tables, definitions } = this.#family
    const definition = definitions.get(name)
    const value = definition ? this.#valueOf(definition) : tables[name]
    this.set(name, value)
    return value
  }

  #valueOf({ name, run, needs }: CompiledDefinition): unknown {
    try {
      return run(this)
    } catch (error) {
      this.#failures.set(name, this.failureOf(error, needs))
      return undefined
    }
  }

  /** Return why an expression with these needs has thrown an error. */
  failureOf(error: unknown, needs: Needs): Failure {
    return { reason: this.#reasonOf(error), missing: this.#missingOf(needs) }
  }

  #reasonOf(error: unknown): string {
    if (!(error instanceof EvaluationError)) return messageOf(error)
    const { code, node, summary } = error
    if (node) {
      const text = serialize(node)
      if (code === 'unknown_variable') return this.#failures.get(text)?.reason ?? `${text} is missing`
      if (code === 'no_such_key') return `${text} is missing`
    }
    return summary
  }

  /** Return the missing fields that an expression, or a definition that it uses, cannot do without. */
  #missingOf({ paths, definitions }: Needs): readonly string[] {
    const own = [...paths].filter(([, read]) => this.evidenceOf(read) === null).map(([path]) => path)
    const ofDefinitions = definitions.flatMap((name) => {
      this.get(name)
      return this.#failures.get(name)?.missing ?? []
    })
    return [...new Set([...own, ...ofDefinitions])]
  }

  /** Return a value as evidence keeps it; null where there is none. */
  evidenceOf(read: Run): Evidence[string] {
    try {
      const value = read(this)
      return Array.isArray(value)
        ? [...new Set(value.flat().map(scalarOf))].slice(0, maxValues)
        : scalarOf(value)
    } catch {
      return null
    }
  }
}

function scalarOf(value: unknown): Scalar {
  if (typeof value === 'boolean') return value
  // An expression may cut a character in two, or hold NUL. No event may hold either.
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (typeof value === 'bigint') return Number(value)
  // JSON has neither infinity nor negative zero.
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null
}
