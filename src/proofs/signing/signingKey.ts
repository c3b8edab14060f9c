import { execFile } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { Refusal } from '../../domain/kernel/refusal.ts'

/** The key that signs checkpoints. Its private half is outside both stores: in a file, or in a device behind a program. */
export interface SigningKey {
  /** Return the 64 bytes of the signature. @throws Refusal 503 `signing-failed` */
  sign(text: string): Buffer | Promise<Buffer>
  /** The 32 bytes of the public key. */
  readonly publicKey: Buffer
}

/** A key whose private half this process has. */
export interface LocalSigningKey extends SigningKey {
  sign(text: string): Buffer
}

/** Where the key of a process is. */
export interface KeyPlace {
  /** The path of a PEM file: with the private key, or with the public key of `command`. */
  readonly file: string
  /** The path of a program that reads a text and prints its signature in base64; undefined for none. */
  readonly command?: string | undefined
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

/** @throws Error of one line, when a file cannot be read, holds no Ed25519 key, or others may read a private one */
export function readSigningKey({ file, command }: KeyPlace): SigningKey {
  return command === undefined ? readPrivateKey(file) : keyOfCommand(file, command)
}

function readPrivateKey(file: string): LocalSigningKey {
  let mode: number
  let key: LocalSigningKey
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

function keyOfCommand(file: string, command: string): SigningKey {
  let key: KeyObject
  try {
    key = createPublicKey(readFileSync(file))
    if (key.asymmetricKeyType !== 'ed25519')
      throw new Error(`it holds a key of type ${key.asymmetricKeyType}`)
    accessSync(command, constants.X_OK)
  } catch (error) {
    throw new Error(
      `SIGNING_KEY, SIGNING_COMMAND: these are not a PEM file with an Ed25519 public key and a program (${(error as Error).message})`,
    )
  }
  const { x } = key.export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x!, 'base64url'),
    async sign(text) {
      const printed = await printedBy(command, text)
      const signature = Buffer.from(printed.trim(), 'base64')
      // Never return a signature that the public key does not verify.
      if (!verify(null, Buffer.from(text), key, signature))
        throw signingFailed('what the program printed is not a signature by the key in SIGNING_KEY')
      return signature
    },
  }
}

const commandWithinMs = 10_000

function printedBy(command: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: commandWithinMs, maxBuffer: 10_000 }
    const child = execFile(command, [], limits, (error, printed) => {
      if (error) reject(signingFailed(`the program ended with ${error.signal ?? error.code}`))
      else resolve(printed)
    })
    // A program may end without reading its input. Its output then shows whether it has signed.
    child.stdin!.on('error', () => {})
    child.stdin!.end(text)
  })
}

function signingFailed(why: string): Refusal {
  return new Refusal(
    'signing-failed',
    `The program that signs for this service failed, so nothing was signed: ${why}. Ask the operator to look at SIGNING_COMMAND.`,
  )
}

/** @throws Error when it is a key of another kind */
export function signingKey(privateKey: KeyObject): LocalSigningKey {
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
  const kid = thumbprintOf(publicKey)
  const vkey = `${name}+${noteKeyId(publicKey, name).toString('hex')}+${withKind(publicKey).toString('base64')}`
  return { kty: 'OKP', crv: 'Ed25519', x, use: 'sig', alg: 'EdDSA', kid, vkey }
}

/** Return the thumbprint of a public key (RFC 7638). */
export function thumbprintOf(publicKey: Buffer): string {
  const jwk = { crv: 'Ed25519', kty: 'OKP', x: publicKey.toString('base64url') }
  return createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')
}

/** Return the 4 bytes by which a signed note names the key. */
export function noteKeyId(publicKey: Buffer, name: string): Buffer {
  return createHash('sha256').update(`${name}\n`).update(withKind(publicKey)).digest().subarray(0, 4)
}

/** Signed notes put the kind of signature before the key: 1 is Ed25519. */
function withKind(publicKey: Buffer): Buffer {
  return Buffer.concat([Buffer.of(1), publicKey])
}
