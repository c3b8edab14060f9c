/** How requests under an Idempotency-Key are told apart. */

/** A key as a string of RFC 9651: in double quotes, where only a quote and a backslash are escaped. */
const quotedKey = /^"(?:[^"\\]|\\["\\])*"$/

/** Return the key without the quotes of the draft standard, so that `"abc"` and `abc` are one key. */
export function bareKey(key: string): string {
  return quotedKey.test(key) ? key.slice(1, -1).replace(/\\(.)/g, '$1') : key
}

export interface RequestHashes {
  readonly requestHash: string
  readonly contentHash?: string | null | undefined
}

/** Whether two requests under one key are the same. Releases before `contentHash` recorded `requestHash` alone. */
export function isSameRequest(one: RequestHashes, other: RequestHashes): boolean {
  if (one.contentHash && other.contentHash) return one.contentHash === other.contentHash
  return one.requestHash === other.requestHash
}
