import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDataDirLocked } from './dataDirLock.ts'
import { writePrivateJson } from './files.ts'

/**
 * `dev.json` of a data directory: addresses, with the secrets for them, as long as a Heatmark runs there. After its end
 * another user of the machine may listen on one of its ports, so nobody may take the secrets to an address of a file that
 * a killed Heatmark has left.
 */

function devFileOf(dataDir: string): string {
  return join(dataDir, 'dev.json')
}

/** Write the file for this user alone, and return its path. The caller has the lock of the data directory. */
export function writeDevFile(dataDir: string, content: object): string {
  writePrivateJson(devFileOf(dataDir), content)
  return devFileOf(dataDir)
}

/** The caller has the lock of the data directory. */
export function removeDevFile(dataDir: string): void {
  rmSync(devFileOf(dataDir), { force: true })
}

/**
 * Return the text of the file, or undefined when no Heatmark runs on the data directory.
 * @throws Error when the file cannot be read
 */
export function readDevFile(dataDir: string): string | undefined {
  if (!isDataDirLocked(dataDir)) return undefined
  try {
    return readFileSync(devFileOf(dataDir), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
