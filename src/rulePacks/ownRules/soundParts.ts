import type { PackFault } from '../checks.ts'
import type { PackContent } from '../rulePack.ts'

/**
 * A document whose shape has faults is checked as far as its shape is right, so that one answer lists the faults of
 * shape, of size and of expressions. An empty text takes the place of each faulty one: no text of a pack may be empty.
 */
interface SoundParts {
  readonly content: PackContent
  /** Whether a fault that the checks find in `content` only follows from a fault of shape. */
  readonly isConsequence: (fault: PackFault) => boolean
}

type Place = readonly PropertyKey[]

/** The texts that the checks read. */
const texts = {
  tags: ['key', 'family', 'name'],
  definitions: ['name', 'family', 'expression'],
  rules: ['ruleId', 'family', 'when', 'tag', 'clause', 'explanation'],
  pairRules: ['ruleId', 'when', 'explanation'],
} as const

/** @param faults the places of all faults of shape */
export function soundParts(document: object, faults: readonly Place[]): SoundParts {
  const isFaulty = faultyIn(faults)
  const content = contentOf(document, isFaulty)
  const { tags, definitions = [], rules } = content
  const declared = [
    ...Object.keys({ ...membersOf(document, 'tables'), ...membersOf(document, 'parameters') }),
    ...Object.values(membersOf(document, 'definitions')).map((definition) => valueAt(definition, ['name'])),
  ]
  const sound = definitions.filter(({ family, expression }) => family && expression)
  const names = new Set([
    ...Object.keys({ ...content.tables, ...content.parameters }),
    ...sound.map(({ name }) => name),
  ])
  const unknown = new Set(declared.filter((name) => !names.has(String(name))))
  const isAnyUnknown =
    definitions.some(({ name }) => !name) ||
    ['tables', 'parameters', 'definitions'].some((section) => isFaulty([section]))

  function isConsequence({ path, code, line }: PackFault): boolean {
    if (isFaulty(path) || valueAt(content, path) === '') return true
    const [section, index, member] = path
    const part = valueAt(content, [section!, index!])
    if (section === 'rules' && member === 'tag') {
      const { family, tag } = part as PackContent['rules'][number]
      return isFaulty(['tags']) || !family || tags.some((one) => one.key === tag && !one.family)
    }
    if (section === 'tags' && code === 'not-one-of')
      return isFaulty(['rules']) || rules.some(({ tag }) => !tag)
    if (line === undefined && member !== 'explanation') return false
    return (
      isAnyUnknown ||
      JSON.stringify(part)
        .match(/\w+/g)!
        .some((word) => unknown.has(word))
    )
  }
  return { content, isConsequence }
}

function contentOf(document: object, isFaulty: IsFaulty): PackContent {
  const textAt = (...place: Place) => {
    const value = valueAt(document, place)
    return typeof value === 'string' && !isFaulty(place) ? value : ''
  }
  const partsOf = (section: keyof typeof texts) =>
    (isFaulty([section]) ? [] : Object.values(membersOf(document, section))).map((part, index) => {
      const each = valueAt(part, ['each'])
      const isWritten = !isFaulty([section, index, 'each'], 'or below')
      const members = texts[section].map((name) => [name, isWritten ? textAt(section, index, name) : ''])
      return { ...Object.fromEntries(members), ...(isWritten && each !== undefined && { each }) }
    })
  const without = (section: string, ...below: Place) =>
    Object.entries(membersOf(document, section)).filter(
      ([name]) => !isFaulty([section, name, ...below], 'or below'),
    )
  return {
    id: textAt('id'),
    name: textAt('name'),
    parameters: Object.fromEntries(without('parameters')),
    tags: partsOf('tags'),
    tables: Object.fromEntries(without('tables', 'values')),
    definitions: partsOf('definitions'),
    rules: partsOf('rules'),
    pairRules: partsOf('pairRules'),
  } as PackContent
}

type IsFaulty = (place: Place, orBelow?: 'or below') => boolean

/** Whether a part has a fault of shape: it, or a part around it. */
function faultyIn(faults: readonly Place[]): IsFaulty {
  const exact = new Set(faults.map(keyOf))
  const above = new Set(faults.flatMap(prefixesOf))
  return (place, orBelow) =>
    prefixesOf(place).some((prefix) => exact.has(prefix)) ||
    (orBelow !== undefined && above.has(keyOf(place)))
}

function keyOf(place: Place): string {
  return JSON.stringify(place.map(String))
}

/** Return the keys of a place and of all parts around it. */
function prefixesOf(place: Place): string[] {
  return place.map((_, index) => keyOf(place.slice(0, index + 1)))
}

function membersOf(document: object, section: string): Readonly<Record<string, unknown>> {
  return Object(valueAt(document, [section]) ?? {})
}

function valueAt(value: unknown, place: Place): unknown {
  return place.reduce(
    (part, step) => (part as Record<PropertyKey, unknown> | null | undefined)?.[step],
    value,
  )
}
