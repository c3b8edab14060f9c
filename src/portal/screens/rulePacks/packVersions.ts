import type { Difference } from '../../kit/Versions.tsx'

/** Two versions of a pack's document, part by part: its members, each of its tags and each of its rules. */

type Part = Readonly<Record<string, unknown>>

/** Return the parts that differ. */
export function differencesOf(mine: unknown, theirs: unknown): readonly Difference[] {
  const [ofMine, ofTheirs] = [partsOf(mine), partsOf(theirs)]
  return [...new Set([...ofMine.keys(), ...ofTheirs.keys()])]
    .map((name) => ({ name, mine: ofMine.get(name) ?? '–', theirs: ofTheirs.get(name) ?? '–' }))
    .filter((one) => one.mine !== one.theirs)
}

/** Return the text of each part, by its name, such as `rules thick`. */
function partsOf(document: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries((document ?? {}) as Part).flatMap(([member, value]) => {
      const key = keys[member]
      if (key === undefined || !Array.isArray(value)) return [[member, textOf(value)] as const]
      return value.map((one: Part) => [`${member} ${String(one?.[key])}`, textOf(one)] as const)
    }),
  )
}

/** The members that name the parts of a list. */
const keys: Readonly<Record<string, string>> = { tags: 'key', rules: 'ruleId', definitions: 'name' }

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
