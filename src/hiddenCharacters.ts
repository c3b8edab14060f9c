/**
 * Characters that a terminal obeys or that nobody sees: control characters, and marks that turn the direction of the
 * text beside them. With one of them a text looks like another one, such as `fdp.exe` like `exe.pdf`.
 */
const hidden = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

export function hidesNothing(text: string): boolean {
  return text.search(hidden) === -1
}

/**
 * The hidden characters, and those that may have no width (Unicode calls them default ignorable), such as U+200B and
 * the soft hyphen.
 */
const unseen = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u

/** Return the code point of the first unseen character, such as `U+200B`. */
export function firstUnseen(text: string): string | undefined {
  const [found] = unseen.exec(text) ?? []
  return found && `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Zero-width marks that no script needs. With one of them, two different names would look the same. */
const zeroWidth = /[\u00AD\u200B\u2060\uFEFF]/u

export function hasZeroWidth(text: string): boolean {
  return zeroWidth.test(text)
}

/** Escape each hidden character as JSON may, so that a JSON text keeps its value. Line feeds stay as they are. */
export function showHidden(text: string): string {
  return text.replaceAll(hidden, (one) =>
    one === '\n' ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
