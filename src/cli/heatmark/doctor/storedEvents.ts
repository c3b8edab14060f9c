import { join } from 'node:path'
import { checkSample } from '../../../embedded/eventStore/storage/check.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Some events of the local node are read again: a byte that a disk has changed is found before somebody needs it. */

const most = 1_000

export function checkStoredEvents(dataDir: string): Finding {
  const check = 'stored events'
  try {
    return ok(check, `${checkSample(join(dataDir, 'events.sqlite'), most)} of them are as they were written`)
  } catch (error) {
    return problem(check, (error as Error).message, 'restore a backup: docs/operations.md says how')
  }
}
