import { v5 } from 'uuid'

/** Spellings that count as one: NFKC, trimmed, inner white space collapsed, letters without case. */
export const normalise = (text: string): string =>
  text.normalize('NFKC').trim().replace(/\s+/gu, ' ').toUpperCase()

/**
 * Two names of one kind that have one key are the same name. Upper case alone keeps a few letters apart that
 * are one without case (ẞ and ß, İ and i̇), and takes some out of NFKC.
 */
export const nameKey = (name: string): string => normalise(normalise(name).toLowerCase()).normalize('NFKC')

/** In the order of code points, which is PostgreSQL's under COLLATE "C"; `<` compares UTF-16 code units. */
export const byCodePoint = (left: string, right: string): number => {
  const others = right[Symbol.iterator]()
  for (const character of left) {
    const other = others.next()
    if (other.done) return 1
    if (character !== other.value) return character.codePointAt(0)! - other.value.codePointAt(0)!
  }
  return others.next().done ? 0 : -1
}

/**
 * The UUID v5 of `name` as JSON. The namespace is any 16 bytes as a UUID is written: `v5` is given the bytes,
 * because it refuses the text of ids that are of no version or variant of RFC 9562, and companies have such.
 */
export const derivedId = (namespace: string, ...name: readonly unknown[]): string =>
  v5(JSON.stringify(name), Buffer.from(namespace.replaceAll('-', ''), 'hex'))

/*
 * The id of a record follows from the numbers that identify it (UUID v5, namespace: the company), so that
 * its stream alone makes it unique and a repeat is harmless.
 */

export const millCertificationIdOf = (
  companyId: string,
  certificateNumber: string,
  heatNumber: string,
): string => derivedId(companyId, 'millCertificate', normalise(certificateNumber), normalise(heatNumber))

export const orderIdOf = (companyId: string, orderNumber: string): string =>
  derivedId(companyId, 'order', normalise(orderNumber))

export const lineItemIdOf = (companyId: string, orderId: string, lineNumber: number): string =>
  derivedId(companyId, 'lineItem', orderId, lineNumber)

/** A rule pack's tag has the same id whenever it is subscribed to, and whatever it is called. */
export const systemTagIdOf = (companyId: string, rulePackId: string, key: string): string =>
  derivedId(companyId, 'systemTag', rulePackId, key)
