import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSigned } from '../../../src/proofs/signing/ed25519.ts'

const keyPair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x } = publicKey.export({ format: 'jwk' })
  return { x: x!, sign: (text: string) => sign(null, Buffer.from(text), privateKey) }
}

it('tells the signature of a key and a text from all others, however often it is asked', () => {
  const signed = [keyPair(), keyPair()].flatMap((key) =>
    ['heatmark/a\n7\n', 'heatmark/a\n8\n'].map((text) => ({ x: key.x, text, signature: key.sign(text) })),
  )
  for (let times = 0; times < 2; times += 1)
    for (const one of signed)
      for (const other of signed) {
        expect(isSigned(one.text, one.x, other.signature)).toBe(one === other)
        expect(isSigned(one.text, other.x, one.signature)).toBe(one.x === other.x)
      }
})
