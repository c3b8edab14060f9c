import { byCodePoint } from '../kernel/identifiers.ts'
import { isSameSection, profileKeyOf, readProfile } from '../steel/steelProfile.ts'
import type { SettableCode } from './releasePolicy.ts'
import { type Sentence, sentence } from './sentence.ts'

/** A bar has one section, so the pieces that are cut from it have one, too. */

interface SectionsDifference {
  readonly code: SettableCode
  readonly actual: string
  readonly sentence: Sentence
}

/** Compare the profiles of the lines with an Accepted cut on one bar. A name that nobody knows is left to a person. */
export function sectionsDifferences(profiles: readonly string[]): SectionsDifference[] {
  const stated = [...new Set(profiles)].sort(byCodePoint)
  if (stated.length < 2) return []
  const sections = [...new Map(stated.map((name) => [profileKeyOf(name), name])).values()]
  const names = sections.filter((one) => sections.some((other) => !isSameSection(one, other)))
  if (names.length === 0) return []
  const actual = names.join(', ')
  const readable = names.filter((name) => readProfile(name) !== undefined)
  if (readable.length > 1)
    return [
      {
        code: 'profiles-differ-on-bar',
        actual,
        sentence: sentence('profiles-differ-on-bar', { names: actual }),
      },
    ]
  const unread = names.filter((name) => !readable.includes(name)).join(', ')
  const words = sentence('profiles-on-bar-unreadable', { names: actual, unread })
  return [{ code: 'profile-unreadable', actual, sentence: words }]
}
