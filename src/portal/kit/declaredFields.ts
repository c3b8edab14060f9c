import { usualElements } from '../../domain/certificates/elements.ts'
import type { Fields, Kind } from '../../domain/kernel/fields.ts'
import { numberIn } from './numberIn.ts'

/** Forms for the fields that the domain declares. A form holds the text of each value by its path, such as `chemistry.C`. */

export interface FieldInput {
  readonly path: string
  readonly kind: Exclude<Kind, { readonly is: 'numbers' | 'object' | 'list' | 'variants' }>
  readonly isRequired: boolean
}

export type Typed = Readonly<Record<string, string>>
type Values = Readonly<Record<string, unknown>>

/**
 * Return the inputs for the fields of a record, in their order. An analysis has the elements that mills report, and those
 * of the record. Lists have forms of their own.
 */
export function inputsOf(fields: Fields, values: object, within = ''): readonly FieldInput[] {
  return Object.entries(fields).flatMap(([name, { kind, isNullable }]): readonly FieldInput[] => {
    const path = within + name
    switch (kind.is) {
      case 'list':
      case 'variants':
        return []
      case 'object':
        return inputsOf(kind.fields, (values as Values)[name] ?? {}, `${path}.`)
      case 'numbers': {
        const { least, most } = kind
        return namesOf((values as Values)[name]).map((one) => ({
          path: `${path}.${one}`,
          kind: { is: 'number', least, most, unit: '%' },
          isRequired: false,
        }))
      }
      default:
        return [{ path, kind, isRequired: !isNullable && kind.is !== 'flag' }]
    }
  })
}

function namesOf(present: unknown): readonly string[] {
  return [...new Set([...usualElements, ...Object.keys((present ?? {}) as Values)])]
}

/** Return the texts of a record's values, with the decimal sign of the language. */
export function typedOf(inputs: readonly FieldInput[], values: object, language: string): Typed {
  return Object.fromEntries(
    inputs.map(({ path, kind }) => {
      const value = path
        .split('.')
        .reduce<unknown>((part, name) => (part as Values | null | undefined)?.[name], values)
      if (kind.is === 'flag') return [path, value === true ? 'yes' : '']
      const text = String(value ?? '')
      return [path, typeof value === 'number' && language === 'de' ? text.replace('.', ',') : text]
    }),
  )
}

/** Return the values that were typed anew, as the body of a PATCH. An empty text is null. */
export function changedValues(inputs: readonly FieldInput[], before: Typed, now: Typed): Values {
  const changed: Record<string, unknown> = {}
  for (const input of inputs) {
    const { path } = input
    if (now[path] === before[path]) continue
    const [name, member] = path.split('.') as [string, string?]
    const value = readValue(input, now[path] ?? '')
    changed[name] = member === undefined ? value : { ...(changed[name] as Values), [member]: value }
  }
  return changed
}

/**
 * Return the values that `former` has for the fields that were typed anew, as the body of a PATCH, which takes the change
 * back.
 */
export function formerValues(
  inputs: readonly FieldInput[],
  before: Typed,
  now: Typed,
  former: Typed,
): Values {
  const typedAnew = inputs.filter(({ path }) => now[path] !== before[path])
  return changedValues(typedAnew, now, former)
}

function readValue({ kind }: FieldInput, typed: string): unknown {
  const text = typed.trim()
  if (kind.is === 'flag') return text !== ''
  if (text === '') return null
  switch (kind.is) {
    case 'whole':
    case 'number':
      return numberIn(text, kind)
    case 'length':
      return numberIn(text, { least: 0, most: kind.most })
    default:
      return text
  }
}
