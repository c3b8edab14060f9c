import { type Fault, invalid } from './refusal.ts'

/**
 * The content that a request asks for, from the present one, with the faults that only the present content shows. A
 * request may leave members out, so it must be applied to the content that it is recorded on: a retry after a conflict
 * applies it again.
 */
export type Edit<Content> = (present: Content) => Edited<Content>

interface Edited<Content> {
  /** Valid only when there are no faults. */
  readonly content: Content
  readonly faults: readonly Fault[]
}

/** A request's content for a record that may or may not exist. */
export interface Upsert<Content> {
  /** Return the content of a new record. @throws Refusal `validation-failed` when it is incomplete */
  whole(): Content
  /** The change of the record that exists. */
  readonly edit: Edit<Content>
}

/** @throws Refusal `validation-failed` with the faults of the edit and the others */
export function editedContent<Content>(
  edit: Edit<Content>,
  present: Content,
  others: readonly Fault[] = [],
): Content {
  const { content, faults } = edit(present)
  if (faults.length + others.length > 0)
    throw invalid([...others, ...faults], 'The record as it stands cannot be changed like this.')
  return content
}

/** Members that a request sets. One that is undefined was left out. */
export type Sent<Content> = { readonly [Name in keyof Content]?: Content[Name] | undefined }

/** Replace the members that were sent, and keep the others. */
export function replaceMembers<Content extends object>(sent: Sent<Content>): Edit<Content> {
  return (present) => ({ content: withMembers(present, sent), faults: [] })
}

export function withMembers<Content extends object>(present: Content, sent: Sent<Content>): Content {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  return { ...present, ...Object.fromEntries(given) }
}

/** Apply a JSON Merge Patch (RFC 7396). `__proto__` is a member like any other. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const members = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, mergePatch(members.get(name), value))
  }
  return Object.fromEntries(members)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
