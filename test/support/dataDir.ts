import { lstatSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Create an empty data directory in the system's temporary folder. */
export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'heatmark-test-'))
}

/** Remove a data directory, and PostgreSQL's files when they are in another folder. */
export function removeDataDir(dataDir: string): void {
  const postgres = join(dataDir, 'postgres')
  const elsewhere = lstatSync(postgres, { throwIfNoEntry: false })?.isSymbolicLink()
  if (elsewhere) rmSync(dirname(readlinkSync(postgres)), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}
