import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { sync } from '../../files.ts'
import { explain, openForReading } from './database.ts'

/**
 * Copy a snapshot of a store to another file, while a node may go on writing. The copy gets its name when it
 * is complete and on the disk.
 * @returns the file and its size in bytes
 * @throws Error of one line when that file exists already, or either file cannot be used
 */
export function backupStore(file: string, to: string): { file: string; bytes: number } {
  if (existsSync(to)) throw new Error(`${to} exists already`)
  const draft = `${to}.partial`
  rmSync(draft, { force: true })
  const database = openForReading(file)
  try {
    database.prepare('VACUUM INTO ?').run(draft)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Error(`backup to ${to}: ${explain(file, error)}`)
  } finally {
    database.close()
  }
  sync(draft)
  renameSync(draft, to)
  sync(dirname(to))
  return { file: to, bytes: statSync(to).size }
}
