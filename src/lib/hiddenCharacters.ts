/**
 * Characters that a terminal obeys or that nobody sees: control characters, and marks that turn the direction of the
 * text beside them. With one of them a text looks like another one, such as `fdp.exe` like `exe.pdf`.
 */
const hidden = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

export function hidesNothing(text: string): boolean {
  return text.search(hidden) === -1
}

/** Escape each hidden character as JSON may, so that a JSON text keeps its value. Line feeds stay as they are. */
export function showHidden(text: string): string {
  return text.replaceAll(hidden, (one) =>
    one === '\n' ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
