import { isSigned } from './ed25519.ts'
import { noteKeyId, type SigningKey } from './signingKey.ts'

/** Checkpoints of C2SP tlog-checkpoint, as signed notes. */

/** The number of entries of a log, and the head of its tree. */
export interface LogHead {
  readonly size: number
  readonly root: Buffer
}

/** Return the origin of a company's log. It is the name, too, under which the key signs. */
export function originOf(storeId: string, companyId: string): string {
  return `heatmark/${storeId}/${companyId}`
}

/** Sign a checkpoint. The same head always gives the same note. @throws the errors of the key */
export async function checkpointNote(origin: string, head: LogHead, key: SigningKey): Promise<string> {
  return signedNote(origin, head, key.publicKey, await key.sign(checkpointText(origin, head)))
}

/** Whether a note is the checkpoint of this head, signed by this key. */
export function isCheckpointOf(note: string, origin: string, head: LogHead, publicKey: Buffer): boolean {
  const signature = Buffer.from(note.slice(note.lastIndexOf(' ') + 1), 'base64').subarray(-signatureBytes)
  if (signedNote(origin, head, publicKey, signature) !== note) return false
  return isSigned(checkpointText(origin, head), publicKey.toString('base64url'), signature)
}

const signatureBytes = 64

/** Whether a note is the checkpoint of the same head as another one, signed by one of these keys. */
export function isSameCheckpoint(note: string, other: string, publicKeys: readonly Buffer[]): boolean {
  const [origin = '', size, root = ''] = other.split('\n')
  const head = { size: Number(size), root: Buffer.from(root, 'base64') }
  return publicKeys.some((publicKey) => isCheckpointOf(note, origin, head, publicKey))
}

/** Return the text that the key signs. */
export function checkpointText(origin: string, { size, root }: LogHead): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

export function signedNote(origin: string, head: LogHead, publicKey: Buffer, signature: Buffer): string {
  const named = Buffer.concat([noteKeyId(publicKey, origin), signature])
  return `${checkpointText(origin, head)}\n— ${origin} ${named.toString('base64')}\n`
}
