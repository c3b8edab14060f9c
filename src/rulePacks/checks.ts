import { isShared } from '../domain/identifiers.ts'
import { tagNameKey } from '../domain/tag.ts'
import { bandsKey, typeOfTable } from './language.ts'
import type { RulePackDocument } from './rulePack.ts'

/** Checks of a pack's document that its JSON schema cannot express. */

/** Called with each fault and its place in the document, for example `rule carbon, column 12`. */
export type Report = (where: string, message: string) => void

export function checkTags({ tags, rules }: RulePackDocument, report: Report): void {
  for (const key of duplicates(tags.map((tag) => tag.key)))
    report(`tag ${key}`, 'Two tags of the pack have this key.')
  const names = tags.map(({ family, name }) => `${family} ${tagNameKey(name)}`)
  for (const [index, { name }] of tags.entries())
    if (names.indexOf(names[index]!) < index)
      report(`tag name «${name}»`, 'Two tags of the pack have this name.')
  for (const ruleId of duplicates(rules.map((rule) => rule.ruleId)))
    report(`rule ${ruleId}`, 'Two rules of the pack have this ruleId.')
  for (const { ruleId, tag, family } of rules) {
    const known = tags.find(({ key }) => key === tag)
    if (!known) report(`rule ${ruleId}`, `The pack has no tag ${tag}.`)
    else if (known.family !== family)
      report(`rule ${ruleId}`, `The rule is of family ${family}, but its tag ${tag} is of ${known.family}.`)
  }
  for (const { key } of tags)
    if (isShared(key)) report(`tag ${key}`, 'All packs share the tag of this key.')
    else if (!rules.some(({ tag }) => tag === key)) report(`tag ${key}`, 'No rule assigns it.')
}

export function checkTables({ tables = {} }: RulePackDocument, report: Report): void {
  for (const [name, { values }] of Object.entries(tables)) {
    if (typeOfTable(values) !== 'map<string, list<double>>') continue
    const { [bandsKey]: ends = [], ...rows } = values as Record<string, readonly (number | null)[]>
    if (ends.some((end, band) => band > 0 && end! <= ends[band - 1]!))
      report(`table ${name}`, `The ends of the bands in ${bandsKey} must rise.`)
    for (const [row, { length }] of Object.entries(rows))
      if (length !== ends.length)
        report(`table ${name}`, `Row ${row} has ${length} values for ${ends.length} bands.`)
  }
}

function duplicates(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
