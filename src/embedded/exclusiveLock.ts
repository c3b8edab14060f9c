import type { DatabaseSync } from 'node:sqlite'

/**
 * SQLite, loaded with the first lock: Node warns on standard error when it loads SQLite, and most commands of a plant
 * look for an embedded stack that is not there.
 */
const sqlite = () => process.getBuiltinModule('node:sqlite')

/** SQLite's result code when another connection has the lock. */
const busy = 5

/**
 * Lock an empty file for this process. SQLite locks it by means of the operating system, which releases the lock when
 * the process ends, however it ends. A pid in a file could be another process's by now.
 * @param patienceMs how long to wait for another process that has the lock
 * @returns releases the lock; undefined when another process has it
 * @throws the error of SQLite when the file cannot be written
 */
export function lockFile(file: string, patienceMs = 0): (() => void) | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new (sqlite().DatabaseSync)(file, { timeout: patienceMs })
    // Nothing is written to this file, so it needs no journal on the disk.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (sqliteCode(error) === busy) return undefined
    throw error
  }
  return () => lock.close()
}

/** Whether a process has the lock. The file must exist. @throws the error of SQLite when it cannot be read */
export function isLocked(file: string): boolean {
  const reader = new (sqlite().DatabaseSync)(file, { readOnly: true, timeout: 0 })
  try {
    reader.exec('SELECT 1 FROM sqlite_schema')
    return false
  } catch (error) {
    if (sqliteCode(error) === busy) return true
    throw error
  } finally {
    reader.close()
  }
}

/** Return the class of an error of SQLite. The lower byte of its code is the class, the upper bytes are details. */
export function sqliteCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number }
  return errcode === undefined ? undefined : errcode & 0xff
}
