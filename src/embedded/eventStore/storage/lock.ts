import { lockFile } from '../../exclusiveLock.ts'
import { explainFailure } from './database.ts'

/** Milliseconds to wait for a node that is stopping because its parent has died. */
const PATIENCE = 1500

/**
 * Lock the store for this process, by an empty file beside it. Readers of the store (backup, check) need no lock.
 * @returns releases the lock
 * @throws Error of one line when another node has the store, or the lock file cannot be created
 */
export function lockStore(file: string): () => void {
  const beside = `${file}-lock`
  const unlock = explainFailure(beside, () => lockFile(beside, PATIENCE))
  if (!unlock) throw new Error(`${file}: is in use by another event store node`)
  return unlock
}
