import { createDraft } from '../readRow.ts'
import { recogniseCertificateHeading } from '../tables/certificates.ts'
import type { ReadColumn } from '../tables/findHeadings.ts'
import { isUnitAlone } from '../units.ts'
import { namesImpact } from './impactColumns.ts'
import type { Cell, Line } from './lines.ts'
import { likelyHeadings } from './misread.ts'
import type { Run } from './page.ts'
import { type Column, isAbove, isIn } from './tableColumns.ts'
import { isOfLimits, namesLimit, sizeOf, widestGap } from './tableLines.ts'

/** The headings of the columns of a table, and how to read them. */

/** Headings reach no higher above the values than this many sizes of their letters. */
const headingsWithin = 12
/** Lines of headings stand closer to each other than this, and a line with a single heading closer than that. */
const widestGapOfHeadings = 3
const gapOfSingleHeading = 2

/** A column with the room that is its own. */
export interface Slot {
  readonly column: Column
  readonly room: Column
}

/** Return the lines of headings above the first line of values, from the top. */
export function headingsOf(first: Line, above: readonly Line[], slots: readonly Slot[]): readonly Line[] {
  const size = sizeOf(first)
  let bottom = first.bottom
  let top = above.length
  for (const [index, line] of [...above.entries()].toReversed()) {
    const gap = line.bottom - bottom
    const widest = (bottom === first.bottom ? widestGap : widestGapOfHeadings) * size
    if (bottom - first.bottom > headingsWithin * size || gap > widest || statesValues(line)) break
    const texts = textsOf(line)
    const headings = texts.filter((run) => slots.some((slot) => belongsTo(run, slot, slots)))
    const isSingle = headings.length === 1 && gap < gapOfSingleHeading * size
    if (headings.length > 1 || isSingle || texts.some(({ text }) => namesImpact(text))) top = index
    bottom = line.bottom
  }
  return above.slice(top)
}

/** Whether a line states values of the whole certificate, such as "Date: 12.03.2026", and is no heading. */
function statesValues(line: Line): boolean {
  return (
    !isOfLimits(line) &&
    line.cells.some(
      ({ text }) =>
        text === ':' ||
        /^[^:]{3,60}:\s*\S{2}/.test(text) ||
        (/\d{4}/.test(text) && !isUnitAlone(text) && !/\b(?:EN|ISO|DIN|ASTM|JIS|GB)\b/.test(text)),
    )
  )
}

/** Return the texts of a line without the numbers and words of limits, which may stand between headings and values. */
function textsOf(line: Line): readonly Run[] {
  if (!isOfLimits(line)) return line.runs
  return line.runs.filter(({ text }) => !/\d/.test(text) && /\p{L}/u.test(text) && !namesLimit(text))
}

function belongsTo({ box }: Run, slot: Slot, slots: readonly Slot[]): boolean {
  const over = slots.filter(({ column }) => isAbove(box, column))
  return isIn(box, slot.room) || (over.length === 1 && over[0] === slot)
}

/** Return the words above a column, from the top, with units as people write them without spaces. */
export function headingOf(slot: Slot, slots: readonly Slot[], lines: readonly Line[]): string {
  return lines
    .flatMap((line) => textsOf(line).filter((run) => belongsTo(run, slot, slots)))
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s*\/\s*/g, '/')
}

/** Return the titles above a column that it shares with others. */
export function titlesOf({ column }: Slot, slots: readonly Slot[], lines: readonly Line[]): string {
  const isShared = ({ box }: Run) =>
    isAbove(box, column) && slots.filter((slot) => isAbove(box, slot.column)).length > 1
  return lines
    .flatMap((line) => textsOf(line).filter(isShared))
    .map(({ text }) => text)
    .join(' ')
}

/** Signs behind a name that are no part of it, as in "RE-BEND TEST (do) 7". */
const behindName = /(?:\s+(?:\([^)]*\)|\d+))+$/

/**
 * Return how to read a column. Its heading may begin with the title of a group of columns, so that words are left out
 * from its beginning, but none that names a column of its own: two columns may stand in one.
 */
export function readerOf(heading: string): ReadColumn | undefined {
  const latin = heading.replaceAll(/\p{Script=Han}+/gu, ' ').trim()
  for (const spelling of [latin, ...likelyHeadings(latin)]) {
    const words = spelling.split(/\s+/)
    for (let from = 0; from < words.length; from += 1) {
      if (from > 0 && recogniseCertificateHeading(words[from - 1]!)) break
      const name = words.slice(from).join(' ')
      const read =
        recogniseCertificateHeading(name) ?? recogniseCertificateHeading(name.replace(behindName, ''))
      if (read) return read
    }
  }
  return inOneOfLanguages(latin)
}

/** A column may hold two numbers, with a slash between them as well: "Heat/Coil No.". */
const otherNumbers =
  /(?<!\p{L})(?:lot|los|batch|coil|bund|bundle|item|pos|position|piece|plate|sample|probe|specimen)(?!\p{L})/iu

/** Return how to read a column whose heading has one name in several languages, with slashes between them. */
function inOneOfLanguages(heading: string): ReadColumn | undefined {
  const names = heading.split('/').map((name) => name.trim())
  const readers = names.flatMap((name) => recogniseCertificateHeading(name) ?? [])
  const ofHeat = readers.find((read) => fieldsOf(read) === 'heatNumber')
  if (ofHeat) return otherNumbers.test(heading) ? undefined : ofHeat
  const isOne = new Set(readers.map(fieldsOf)).size === 1
  return isOne && readers.length === names.length ? readers.at(-1) : undefined
}

/** Return the fields that a column reads its cells into. */
export function fieldsOf(read: ReadColumn): string {
  const draft = createDraft()
  const at = { page: 1, box: [0, 0, 0, 0] } as const
  read(draft, 'x', at)
  const { values, undecided, faults } = draft.finish(1, at)
  return [...values, ...undecided, ...faults].map(({ field }) => field).join(' ')
}

/** A heading that was not read whole. */
const heatWord =
  /(?<!\p{L})(?:heat|cast|melt|schmelzen?|chargen?|coul[ée]e|colata|colada|d[öo]k[üu]m)(?!\p{L})/iu

/** Whether a column holds heats. @param cells its values, which decide where the heading is not certain: "HEAT N JMBER" */
export function isOfHeats(heading: string, cells: readonly Cell[]): boolean {
  const read = readerOf(heading)
  if (read && fieldsOf(read) === 'heatNumber') return true
  if (otherNumbers.test(heading)) return false
  return heatWord.test(heading) && cells.length > 0 && cells.every(({ text }) => heatLike.test(text))
}

const heatLike = /^[A-Z]{0,3}[ -]?\d[\dA-Z/-]{3,}$/
