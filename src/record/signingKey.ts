import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { Refusal } from '../domain/refusal.ts'

/** The key that signs checkpoints. Its private half is in a file of its own, outside both stores. */
export interface SigningKey {
  sign(text: string): Buffer
  /** The 32 bytes of the public key. */
  readonly publicKey: Buffer
}

/** A public key as `keys.json` holds it: a JWK, with the verifier key of a signed note beside it. */
export interface PublishedKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly use: 'sig'
  readonly alg: 'EdDSA'
  /** The thumbprint of RFC 7638. */
  readonly kid: string
  readonly vkey: string
}

/** @throws Error with one line that names the file, when it cannot be read, holds no Ed25519 key, or others may read it */
export function readSigningKey(file: string): SigningKey {
  let mode: number
  let key: SigningKey
  try {
    mode = statSync(file).mode
    key = signingKey(createPrivateKey(readFileSync(file)))
  } catch (error) {
    throw new Error(
      `SIGNING_KEY: ${file} is not a PEM file with an Ed25519 private key (${(error as Error).message})`,
    )
  }
  if ((mode & 0o077) !== 0)
    throw new Error(
      `SIGNING_KEY: other accounts of this machine have rights to ${file}; take them away with "chmod 600 ${file}"`,
    )
  return key
}

export function signingKeyMissing(): Refusal {
  return new Refusal(
    'signing-key-missing',
    'This service has no key to sign the history with, so it gives no checkpoint and no signed export. Ask the operator to set SIGNING_KEY, or ask for the unsigned export (application/x-ndjson).',
  )
}

/** @throws Error when it is a key of another kind */
export function signingKey(privateKey: KeyObject): SigningKey {
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error(`it holds a key of type ${privateKey.asymmetricKeyType}`)
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  return {
    sign: (text) => sign(null, Buffer.from(text), privateKey),
    publicKey: Buffer.from(x!, 'base64url'),
  }
}

/** @param name the name under which the key signs notes */
export function publishedKey({ publicKey }: Pick<SigningKey, 'publicKey'>, name: string): PublishedKey {
  const x = publicKey.toString('base64url')
  const kid = thumbprint(publicKey)
  const vkey = `${name}+${noteKeyId(publicKey, name).toString('hex')}+${typed(publicKey).toString('base64')}`
  return { kty: 'OKP', crv: 'Ed25519', x, use: 'sig', alg: 'EdDSA', kid, vkey }
}

/** Return the thumbprint of a public key (RFC 7638). */
export function thumbprint(publicKey: Buffer): string {
  const jwk = { crv: 'Ed25519', kty: 'OKP', x: publicKey.toString('base64url') }
  return createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')
}

/** Return the 4 bytes by which a signed note names the key. */
export function noteKeyId(publicKey: Buffer, name: string): Buffer {
  return createHash('sha256').update(`${name}\n`).update(typed(publicKey)).digest().subarray(0, 4)
}

/** Signed notes put the kind of signature before the key: 1 is Ed25519. */
function typed(publicKey: Buffer): Buffer {
  return Buffer.concat([Buffer.of(1), publicKey])
}
