import { createPublicKey, verify } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../lib/atMost.ts'

/**
 * The answers to the last questions: every proof asks the same about the announcements of the keys and about the last
 * checkpoint of its company, and an answer takes a sixth of a millisecond.
 */
const answers = new LRUCache<string, boolean>(atMost(1_000))

/** Whether a key has signed a text. @param publicKey its 32 bytes in base64url, as in a JWK */
export function isSigned(text: string, publicKey: string, signature: Buffer): boolean {
  const question = `${publicKey} ${signature.toString('base64')} ${text}`
  const answer = answers.get(question)
  if (answer !== undefined) return answer
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
  const isRight = verify(null, Buffer.from(text), key, signature)
  answers.set(question, isRight)
  return isRight
}
