import { byCodePoint } from '../kernel/identifiers.ts'
import { isSameSection, profileKeyOf, readProfile } from '../steel/steelProfile.ts'
import type { SettableCode } from './releasePolicy.ts'

/** A bar has one section, so the pieces that are cut from it have one, too. */

interface SectionsDifference {
  readonly code: SettableCode
  readonly actual: string
  readonly message: string
}

/** Compare the profiles of the lines with an Accepted cut on one bar. A name that nobody knows is left to a person. */
export function sectionsDifferences(profiles: readonly string[]): SectionsDifference[] {
  const stated = [...new Set(profiles)].sort(byCodePoint)
  if (stated.length < 2) return []
  const sections = [...new Map(stated.map((name) => [profileKeyOf(name), name])).values()]
  const names = sections.filter((one) => sections.some((other) => !isSameSection(one, other)))
  if (names.length === 0) return []
  const actual = names.join(', ')
  const pair = `The cuts on this bar are for different profiles: ${actual}.`
  const known = names.filter((name) => readProfile(name) !== undefined)
  if (known.length > 1)
    return [{ code: 'profiles-differ-on-bar', actual, message: `${pair} Reject the cuts of all but one.` }]
  const unknown = names.filter((name) => !known.includes(name)).join('", "')
  const message = `${pair} They cannot be compared, because Heatmark does not know "${unknown}". Compare them by hand.`
  return [{ code: 'profile-unreadable', actual, message }]
}
