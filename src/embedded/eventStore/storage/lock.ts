import { DatabaseSync } from 'node:sqlite'
import { explain } from './database.ts'

/** Milliseconds that a node which is just stopping, because its parent has died, is given to be gone. */
const PATIENCE = 1500

/**
 * Takes the store for this process. The lock is SQLite's own on an empty file beside the store: the
 * operating system lets go of it when the process ends, however it ends, and readers of the store (backup,
 * check) do not need it.
 * @returns what lets go of it
 * @throws Error of one line when another node has the store, or the file cannot be made
 */
export function lockStore(file: string): () => void {
  const lockFile = `${file}-lock`
  try {
    const lock = new DatabaseSync(lockFile, { timeout: PATIENCE })
    // Nothing is written to it, so it needs no journal on the disk.
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
