import { existsSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Finding, ok, problem, sizeText, unknown } from './finding.ts'

/** Findings about the room on the disk of this machine. */

/** Less than this, or less than this share, is too little to go on writing for long. */
const leastFree = { bytes: 2 ** 30, share: 0.05 }

export function checkRoom(
  check: string,
  { free, total }: { free: number; total: number },
  uses: string,
): Finding {
  const found = `${sizeText(free)} of ${sizeText(total)} free${uses}`
  if (free >= leastFree.bytes && free >= total * leastFree.share) return ok(check, found)
  return problem(
    check,
    found,
    'make room: a store on a full disk takes no more events. Remove old backups, or move the directory to a larger disk',
  )
}

/** The disk of the data directory, which holds everything where the stack is the embedded one. */
export function checkDisk(dataDir: string): Finding {
  const folder = resolve(dataDir)
  if (!existsSync(folder))
    return unknown('disk', `there is no data directory ${folder}: see to the disks of the stores themselves`)
  const { bavail, blocks, bsize } = statfsSync(folder)
  // The second file has the last writes until SQLite merges them.
  const files = ['events.sqlite', 'events.sqlite-wal'].map((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false }),
  )
  const bytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  const uses = bytes > 0 ? `, ${sizeText(bytes)} of events` : ''
  return checkRoom(`disk of ${folder}`, { free: bavail * bsize, total: blocks * bsize }, uses)
}
