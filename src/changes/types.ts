import { entrySubjects } from '../domain/audit/audited.ts'
import { changeTypeOf } from '../domain/audit/changedRecords.ts'

/** The types of changes by which readers narrow the feed. */

/** The common beginning of all types about one kind of record: `heatmark.bar`. */
const beginnings = entrySubjects.map((subject) => changeTypeOf(subject, '').split('.').slice(0, 2).join('.'))

export const notAType = `must be a type such as heatmark.bar.started.v1, or the beginning of types: ${beginnings.join(', ')}`
/** Every type fits it, so that programs know a text that is none. */
export const typePattern = '^heatmark\\.[.a-z0-9-]+$'
export const mostTypes = 100

export function isType(type: string): boolean {
  return isWithin(beginnings, type)
}

/** Whether the type is one of these, or begins with one of them. */
export function isWithin(types: readonly string[], type: string): boolean {
  return types.some((one) => type === one || type.startsWith(`${one}.`))
}
