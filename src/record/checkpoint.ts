import { noteKeyId, type SigningKey } from './signingKey.ts'

/** Return the origin of a company's log. It is the name, too, under which the key signs. */
export function originOf(storeId: string, companyId: string): string {
  return `heatmark/${storeId}/${companyId}`
}

/** Return a checkpoint of C2SP tlog-checkpoint as a signed note. The same head always gives the same note. */
export function checkpointNote(
  origin: string,
  { size, root }: { readonly size: number; readonly root: Buffer },
  key: SigningKey,
): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`
  const signature = Buffer.concat([noteKeyId(key.publicKey, origin), key.sign(text)])
  return `${text}\n— ${origin} ${signature.toString('base64')}\n`
}
