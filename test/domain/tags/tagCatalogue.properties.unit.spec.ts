import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold } from '../../../src/domain/kernel/aggregate.ts'
import type { Refusal } from '../../../src/domain/kernel/refusal.ts'
import type { TagEvent } from '../../../src/domain/tags/catalogueEvents.ts'
import type { Family } from '../../../src/domain/tags/tag.ts'
import {
  createTag,
  restoreTag,
  softDeleteTag,
  type TagCatalogue,
  tagCatalogue,
  updateTag,
} from '../../../src/domain/tags/tagCatalogue.ts'
import { companyId, contextOf, stored } from '../../support/given.ts'
import { tagContent } from '../verdict/facts.ts'

/** Each line is one name, in several spellings. */
const names = [
  ['Hold', 'HOLD', ' hold', 'Ｈｏｌｄ'],
  ['Grün', 'GRU\u0308N', 'grün'],
  ['Straße', 'STRASSE', 'Straẞe'],
  ['Heat 4711', 'heat  4711', 'HEAT\u00a04711'],
]
const spelling = fc.constantFrom(...names.flatMap((line, number) => line.map((name) => ({ number, name }))))
const family = fc.constantFrom<Family>('millCert', 'order')
/** Select an existing tag by a random number. */
const which = fc.nat()
const commands = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('create' as const), family, spelling }),
    fc.record({ kind: fc.constant('rename' as const), which, spelling }),
    fc.record({ kind: fc.constant('delete' as const), which }),
    fc.record({ kind: fc.constant('restore' as const), which }),
  ),
  { maxLength: 60 },
)
type Command = typeof commands extends fc.Arbitrary<(infer One)[]> ? One : never

/** The model of a tag: its family, the line of its name in `names`, and whether it is active. */
interface Entry {
  readonly family: Family
  readonly line: number
  readonly active: boolean
}

function refusalOfName(book: Map<string, Entry>, family: Family, line: number, except?: string) {
  for (const [tagId, tag] of book)
    if (tag.family === family && tag.line === line && tagId !== except)
      return tag.active ? 'tag-name-taken' : 'tag-name-soft-deleted'
  return undefined
}

function decide(state: TagCatalogue, command: Command, tagId: string | undefined): readonly TagEvent[] {
  if (command.kind === 'create') {
    const content = tagContent({ name: command.spelling.name })
    const newId = () => `tag ${state.tags.size}`
    return createTag(state, { companyId, family: command.family, content }, { ...contextOf(), newId })
  }
  const tag = state.tags.get(tagId!)!
  if (command.kind === 'delete') return softDeleteTag(tag)
  if (command.kind === 'restore') return restoreTag(tag)
  return updateTag(state, tag, tagContent({ name: command.spelling.name }))
}

/** Return the decision, or the code of its refusal. */
function outcomeOf(decision: () => readonly TagEvent[]): readonly TagEvent[] | string {
  try {
    return decision()
  } catch (error) {
    return (error as Refusal).code
  }
}

/** Return the refusal that the model predicts, or the model's next entry. */
function foretell(book: Map<string, Entry>, command: Command, tagId: string): string | Entry {
  if (command.kind === 'create') {
    const { family, spelling } = command
    return refusalOfName(book, family, spelling.number) ?? { family, line: spelling.number, active: true }
  }
  const entry = book.get(tagId)!
  if (command.kind !== 'rename') return { ...entry, active: command.kind === 'restore' }
  if (!entry.active) return 'tag-deleted'
  const line = command.spelling.number
  return refusalOfName(book, entry.family, line, tagId) ?? { ...entry, line }
}

it('keeps names unique, and refuses nothing else, over any series of changes', () => {
  fc.assert(
    fc.property(commands, (sequence) => {
      const book = new Map<string, Entry>()
      const history: TagEvent[] = []
      let state = tagCatalogue.initial
      for (const command of sequence) {
        const known = command.kind === 'create' ? undefined : [...book.keys()][command.which % book.size]
        if (command.kind !== 'create' && !known) continue
        const tagId = known ?? `tag ${book.size}`
        const foretold = foretell(book, command, tagId)
        const decided = outcomeOf(() => decide(state, command, known))
        if (typeof decided === 'string' || typeof foretold === 'string') {
          expect(decided).toBe(foretold)
          continue
        }
        book.set(tagId, foretold)
        history.push(...decided)
        state = fold(tagCatalogue, state, stored(history).slice(history.length - decided.length))
      }

      const lines = [...book.values()].map(({ family, line }) => `${family} ${line}`)
      expect(new Set(lines).size).toBe(lines.length)
      expect(state.tags.map(({ family, active }) => ({ family, active })).toJS()).toStrictEqual(
        Object.fromEntries([...book].map(([tagId, { family, active }]) => [tagId, { family, active }])),
      )
      const fromScratch = fold(tagCatalogue, tagCatalogue.initial, stored(history))
      expect(fromScratch.tags.toJS()).toStrictEqual(state.tags.toJS())
      expect(fromScratch.names.toJS()).toStrictEqual(state.names.toJS())
      expect(fromScratch.count).toStrictEqual(state.count)
    }),
  )
})
