import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivate } from './files.ts'

/** The key that signs checkpoints, in the data directory. */
export const checkpointKeyFile = 'checkpointKey.pem'

/**
 * Return the path of the key (mode 0600). The first start makes it.
 * @throws Error of one line when the file cannot be written
 */
export function rememberedCheckpointKey(dataDir: string): string {
  const file = join(dataDir, checkpointKeyFile)
  makeKeyFile(file)
  return file
}

/**
 * Write a new private key of Ed25519 to this file, unless the file is there. Return whether it was written.
 * @throws Error of one line when the file cannot be written
 */
export function makeKeyFile(file: string): boolean {
  if (existsSync(file)) return false
  const { privateKey } = generateKeyPairSync('ed25519')
  writePrivate(file, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  return true
}
