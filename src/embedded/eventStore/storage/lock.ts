import { DatabaseSync } from 'node:sqlite'
import { explain } from './database.ts'

/** Milliseconds to wait for a node that is stopping because its parent has died. */
const PATIENCE = 1500

/**
 * Locks the store for this process, with SQLite's lock on an empty file beside the store. The operating system
 * releases the lock when the process ends, however it ends. Readers of the store (backup, check) do not need it.
 * @returns releases the lock
 * @throws Error of one line when another node has the store, or the lock file cannot be created
 */
export function lockStore(file: string): () => void {
  const lockFile = `${file}-lock`
  try {
    const lock = new DatabaseSync(lockFile, { timeout: PATIENCE })
    // Nothing is written to this file, so it needs no journal on the disk.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    if (isBusy(error)) throw new Error(`${file}: is in use by another event store node`)
    throw new Error(explain(lockFile, error))
  }
}

function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 5
}
