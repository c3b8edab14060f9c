import { v5 } from 'uuid'
import { normalise } from './spellings.ts'

/** Compare by code point, as PostgreSQL does under COLLATE "C". (`<` compares UTF-16 code units.) */
export function byCodePoint(left: string, right: string): number {
  const others = right[Symbol.iterator]()
  for (const character of left) {
    const other = others.next()
    if (other.done) return 1
    if (character !== other.value) return character.codePointAt(0)! - other.value.codePointAt(0)!
  }
  return others.next().done ? 0 : -1
}

/** A user id becomes part of paths and stream names, so it consists of visible ASCII without a slash. */
export function isUserId(id: unknown): id is string {
  return typeof id === 'string' && /^[\x21-\x2e\x30-\x7e]{1,128}$/.test(id)
}

/**
 * Return the UUID v5 of `name` as JSON. `v5` gets the bytes of the namespace, because it refuses the text of an id
 * without a version or variant of RFC 9562, and a company may have such an id. It gets the bytes of the name, because it
 * is slow to find them: the keys of findings are such ids, and one answer may have thousands.
 */
export function derivedId(namespace: string, ...name: readonly unknown[]): string {
  return v5(Buffer.from(JSON.stringify(name)), Buffer.from(namespace.replaceAll('-', ''), 'hex'))
}

/*
 * The id of a record follows from the numbers that identify it (UUID v5, namespace: the company), so that
 * its stream alone makes it unique and a repeat is harmless.
 */

export function millCertificationIdOf(
  companyId: string,
  certificateNumber: string,
  heatNumber: string,
  item?: string | null,
): string {
  const numbers = [certificateNumber, heatNumber, ...(item == null ? [] : [item])]
  return derivedId(companyId, 'millCertificate', ...numbers.map(normalise))
}

export function orderIdOf(companyId: string, orderNumber: string): string {
  return derivedId(companyId, 'order', normalise(orderNumber))
}

export function lineItemIdOf(companyId: string, orderId: string, lineNumber: number): string {
  return derivedId(companyId, 'lineItem', orderId, lineNumber)
}

/** The keys of the tags that all rule packs of a company share, by family: see `notJudged.ts`. */
export const sharedTagKeys = { millCert: 'not-judged', order: 'order-not-judged' } as const

/** Whether the packs of a company share the tag of this key. */
export function isShared(key: string): boolean {
  return (Object.values(sharedTagKeys) as string[]).includes(key)
}

/**
 * A rule pack's tag has the same id at every subscription, whatever its name. A tag that all packs share has the same id
 * in each of them.
 */
export function systemTagIdOf(companyId: string, rulePackId: string, key: string): string {
  return isShared(key)
    ? derivedId(companyId, 'sharedTag', key)
    : derivedId(companyId, 'systemTag', rulePackId, key)
}
