import { type Fault, invalid } from '../kernel/refusal.ts'
import type { Parameters, RulePackOffer } from './ruleBook.ts'

/** The choices that a rule pack offers to its subscribers. */

type Offer = Pick<RulePackOffer, 'choices'>

/** A JSON Schema of a pack's parameters. */
export interface ParameterSchema {
  readonly type: 'object'
  readonly properties: Readonly<
    Record<string, { type: 'string'; description: string; enum: readonly string[]; default: string }>
  >
  readonly additionalProperties: false
}

export function parameterSchemaOf(pack: Offer | undefined): ParameterSchema {
  const offered = Object.entries(pack?.choices ?? {})
  const properties = Object.fromEntries(
    offered.map(([name, one]) => [name, { type: 'string', ...one }] as const),
  )
  return {
    type: 'object',
    properties: properties as ParameterSchema['properties'],
    additionalProperties: false,
  }
}

export function defaultsOf(pack: Offer | undefined): Parameters {
  const offered = Object.entries(pack?.choices ?? {})
  return Object.fromEntries(offered.map(([name, one]) => [name, one.default]))
}

/**
 * Return the choice of every parameter, with the defaults of those that are left out; none when the pack offers none.
 * @throws Refusal `validation-failed` for a parameter or a value that the pack does not offer
 */
export function chosenOf(
  pack: Offer | undefined,
  parameters: Parameters,
): { readonly parameters?: Parameters } {
  const offered = pack?.choices ?? {}
  const faults = Object.entries(parameters).flatMap(([name, value]): Fault[] => {
    const path = `/parameters/${name}`
    if (!Object.hasOwn(offered, name))
      return [{ path, code: 'unknown-member', message: 'The rule pack has no such parameter.' }]
    const { enum: values } = offered[name]!
    if (values.includes(value)) return []
    return [{ path, code: 'not-one-of', message: `It must be one of ${values.join(', ')}.` }]
  })
  if (faults.length > 0)
    throw invalid(faults, 'The parameters do not fit the rule pack, so nothing was recorded.')
  if (Object.keys(offered).length === 0) return {}
  return { parameters: { ...defaultsOf(pack), ...parameters } }
}

/** Return the choices that another version of the pack offers too. */
export function stillOffered({ choices: offered = {} }: Offer, before?: Parameters | null): Parameters {
  return Object.fromEntries(
    Object.entries(before ?? {}).filter(
      ([name, value]) => Object.hasOwn(offered, name) && offered[name]!.enum.includes(value),
    ),
  )
}
