import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../lib/failure.ts'
import { isLocked, lockFile, sqliteCode } from './exclusiveLock.ts'
import { diskFault, keepFolderPrivate } from './files.ts'

/** By SQLite's result code. */
const faults: Record<number, string> = {
  8: 'the disk is read-only',
  13: 'the disk is full',
  14: 'permission denied, or the disk is read-only',
}

/**
 * Lock a data directory for this process and close it to other users.
 * @returns unlocks the directory
 * @throws Failure `data-directory-in-use` when another Heatmark has it; Error of one line when it cannot be written to
 */
export function lockDataDir(dataDir: string): () => void {
  keepFolderPrivate(dataDir)
  const holderFile = join(dataDir, 'lock.pid')
  const unlock = takeLock(join(dataDir, 'lock'))
  if (!unlock)
    throw new Failure(
      'data-directory-in-use',
      `data directory ${dataDir} is in use by another Heatmark${holderIn(holderFile)}`,
    )
  try {
    writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    unlock()
    throw new Error(`${holderFile} cannot be written: ${diskFault(error)}`)
  }
  return unlock
}

/** Whether a Heatmark runs on the data directory. */
export function isDataDirLocked(dataDir: string): boolean {
  const file = join(dataDir, 'lock')
  return existsSync(file) && isLocked(file)
}

/** A process that only looks has the lock for less time. */
const patienceMs = 200

function takeLock(file: string): (() => void) | undefined {
  try {
    return lockFile(file, patienceMs)
  } catch (error) {
    throw new Error(`${file} cannot be written: ${faults[sqliteCode(error) ?? 0] ?? diskFault(error)}`)
  }
}

/** For the message only: the pid of the last process that took the lock. */
function holderIn(file: string): string {
  try {
    return ` (pid ${readFileSync(file, 'utf8').trim()})`
  } catch {
    return ''
  }
}
