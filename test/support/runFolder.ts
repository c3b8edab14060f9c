import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../../src/embedded/processes.ts'
import { removeDataDir } from './dataDir.ts'

/**
 * The folder of a run, which holds all temporary files of its processes. Its name has the pid of the run, so that a
 * later run finds what one that was killed has left behind.
 */

const nameOf = (pid: number | string) => `heatmark-run-${pid}-`
const pattern = new RegExp(`^${nameOf('(\\d+)')}`)

/** Create the folder, and let this process and those that it starts use it for temporary files. */
export function openRunFolder(): string {
  const parent = tmpdir()
  sweepRunFolders(parent)
  const folder = mkdtempSync(join(parent, nameOf(process.pid)))
  // PostgreSQL runs as another user if this one is root.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return folder
}

/** Remove the folders of runs that no longer run. A pid that another process has by now leaves one for a later run. */
export function sweepRunFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = pattern.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) removeRunFolder(join(parent, name))
  }
}

export function removeRunFolder(folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) removeDataDir(join(folder, entry.name))
  rmSync(folder, { recursive: true, force: true })
}
