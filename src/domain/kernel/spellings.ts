import { skeletonOf } from './lookAlikes.ts'

/** Which numbers and names count as the same, also in the pages of the portal. */

/**
 * Map spellings that count as one to the same text: NFKC, trimmed, inner white space collapsed, upper case, and one
 * hyphen and one slash for all that printers and word processors put in their place.
 */
export function spellingOf(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/[\u2044\u2215]/gu, '/')
    .trim()
    .replace(/\s+/gu, ' ')
    .toUpperCase()
}

/** Map spellings that count as one, and texts that look alike in another script, to the same text. */
export function normalise(text: string): string {
  return skeletonOf(spellingOf(text))
}

/**
 * Map numbers that people take for one to the same text: without white space, hyphens, dots and slashes, and with one
 * character for 0 and O, and one for 1, I and l. They may be different numbers, so they are only offered.
 */
export function nearKey(number: string): string {
  return normalise(number)
    .replaceAll(/[\s\-./]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/gu, '1')
}

export function isSameNumber(number: string, other: string): boolean {
  return normalise(number) === normalise(other)
}

/** Whether people may take one number for another one. A person decides whether they are the same. */
export function isNearNumber(number: string, other: string): boolean {
  return nearKey(number) === nearKey(other) && !isSameNumber(number, other)
}

/** Whether two texts are spellings of one, and do not only look alike. */
export function isSpelledAlike(left: string, right: string): boolean {
  return spellingOf(left) === spellingOf(right)
}

/**
 * Two names with one key are the same name. Upper case alone keeps apart a few letters that differ only in case
 * (ẞ and ß, İ and i̇), and takes some letters out of NFKC.
 */
export function nameKey(name: string): string {
  return spellingOf(spellingOf(name).toLowerCase()).normalize('NFKC')
}

/** Two names with one key are the same name, or look alike. Names are in order by `nameKey`, not by this key. */
export function lookKey(name: string): string {
  return skeletonOf(nameKey(name))
}
