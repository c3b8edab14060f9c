import { isShared } from '../domain/kernel/identifiers.ts'
import { lookKey } from '../domain/kernel/spellings.ts'
import { rulesOf } from '../domain/rulePacks/rulePackRules.ts'
import { countText } from '../lib/countText.ts'
import type { FaultCode } from '../problems/faults.ts'
import { bandsKey, typeOfTable } from './language.ts'
import type { PackContent } from './rulePack.ts'

/** Checks of a pack's document that its JSON schema cannot express. */

export interface PackFault {
  /** The place in the document, as the steps of a JSON Pointer. */
  readonly path: readonly (string | number)[]
  /** The name of the part, such as `rule carbon`. */
  readonly part: string
  readonly code: FaultCode
  readonly message: string
  /** The place in an expression, from 1. */
  readonly line?: number
  readonly column?: number
}

/** Called with each fault. */
export type Report = (fault: PackFault) => void

export function checkTags(document: PackContent, report: Report): void {
  const { tags } = document
  const rules = rulesOf(document)
  const ofTag = (index: number, member: string) => ({ path: ['tags', index, member] })
  const ofRule = (index: number, member: string) => ({ path: ['rules', index, member] })
  for (const [index, key] of findRepeats(tags.map(({ key }) => key)))
    report({
      ...ofTag(index, 'key'),
      part: `tag ${key}`,
      code: 'not-unique',
      message: 'Two tags of the pack have this key.',
    })
  for (const [index] of findRepeats(tags.map(({ family, name }) => `${family} ${lookKey(name)}`)))
    report({
      ...ofTag(index, 'name'),
      part: `tag name “${tags[index]!.name}”`,
      code: 'not-unique',
      message: 'Two tags of the pack have this name.',
    })
  for (const [place, ruleId] of findRepeats(rules.map(({ rule }) => rule.ruleId)))
    report({
      ...ofRule(rules[place]!.index, 'ruleId'),
      part: `rule ${ruleId}`,
      code: 'not-unique',
      message: 'Two rules of the pack have this ruleId.',
    })
  for (const { rule, index } of rules) {
    const { ruleId, tag, family } = rule
    const packTag = tags.find(({ key }) => key === tag)
    const fault = { ...ofRule(index, 'tag'), part: `rule ${ruleId}`, code: 'not-one-of' } as const
    if (!packTag) report({ ...fault, message: `The pack has no tag ${tag}.` })
    else if (packTag.family !== family)
      report({
        ...fault,
        message: `The rule is of family ${family}, but its tag ${tag} is of ${packTag.family}.`,
      })
  }
  for (const [index, { key }] of tags.entries()) {
    const fault = { ...ofTag(index, 'key'), part: `tag ${key}` }
    if (isShared(key))
      report({
        ...fault,
        code: 'not-unique',
        message: 'All packs share the tag with this key. Choose another key.',
      })
    else if (!rules.some(({ rule }) => rule.tag === key))
      report({ ...fault, code: 'not-one-of', message: 'No rule assigns this tag.' })
  }
}

export function checkTables({ tables = {} }: PackContent, report: Report): void {
  for (const [name, { values }] of Object.entries(tables)) {
    if (typeOfTable(values) !== 'map<string, list<double>>') continue
    const { [bandsKey]: ends = [], ...rows } = values as Record<string, readonly (number | null)[]>
    const fault = (row: string) =>
      ({ path: ['tables', name, 'values', row], part: `table ${name}`, code: 'out-of-bounds' }) as const
    if (ends.some((end, band) => band > 0 && end! <= ends[band - 1]!))
      report({ ...fault(bandsKey), message: `The ends of the bands in ${bandsKey} must increase.` })
    for (const [row, { length }] of Object.entries(rows))
      if (length !== ends.length)
        report({
          ...fault(row),
          message: `Row ${row} has ${countText(length, 'value')} for ${countText(ends.length, 'band')}.`,
        })
  }
}

export function checkParameters({ parameters = {} }: PackContent, report: Report): void {
  for (const [name, { enum: values, default: chosen }] of Object.entries(parameters))
    if (!values.includes(chosen))
      report({
        path: ['parameters', name, 'default'],
        part: `parameter ${name}`,
        code: 'not-one-of',
        message: `The default must be one of ${values.join(', ')}.`,
      })
}

/** Return each value that came before, with its place. */
function findRepeats(values: readonly string[]): (readonly [number, string])[] {
  return [...values.entries()].filter(([index, value]) => values.indexOf(value) < index)
}
