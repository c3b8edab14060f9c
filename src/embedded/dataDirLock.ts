import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { diskFault, keepFolderPrivate } from './files.ts'

/** SQLite's result codes. */
const busy = 5
const faults: Record<number, string> = {
  8: 'the disk is read-only',
  13: 'the disk is full',
  14: 'permission denied, or the disk is read-only',
}

/** Another process has the data directory. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'
}

/**
 * Locks a data directory for this process and closes it to other users. SQLite locks an empty file by means of
 * the operating system, which releases the lock when the process ends, however it ends. A pid in a file could be
 * another process's by now.
 * @returns unlocks the directory
 * @throws DataDirInUse when another Heatmark has it; Error of one line when it cannot be written to
 */
export function lockDataDir(dataDir: string): () => void {
  keepFolderPrivate(dataDir)
  const holderFile = join(dataDir, 'lock.pid')
  const lock = takeLock(join(dataDir, 'lock'), () => {
    throw new DataDirInUse(`data directory ${dataDir} is in use by another Heatmark${holderIn(holderFile)}`)
  })
  try {
    writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    lock.close()
    throw new Error(`${holderFile} cannot be written: ${diskFault(error)}`)
  }
  return () => lock.close()
}

function takeLock(file: string, taken: () => never): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file)
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    // The low byte is the code, the upper bytes are details.
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256
    if (code === busy) return taken()
    throw new Error(`${file} cannot be written: ${faults[code] ?? diskFault(error)}`)
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
