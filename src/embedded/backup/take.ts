import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isFailure } from '../../lib/failure.ts'
import { connectPostgres } from '../../stores/postgres/postgres.ts'
import { lockDataDir } from '../dataDirLock.ts'
import { readDevFile } from '../devFile.ts'
import { backupStore } from '../eventStore/storage/backup.ts'
import { checkStore } from '../eventStore/storage/check.ts'
import { copyPrivate, makeDraftFolder, sync, writePrivateJson } from '../files.ts'
import { startPostgres } from '../postgres.ts'
import { copyDocuments } from './documents.ts'
import { type LocalRows, takeLocalRows } from './localRows.ts'
import {
  describeFile,
  documentsFolder,
  eventsFile,
  format,
  identityFiles,
  localRowsFile,
  type Manifest,
  manifestFile,
} from './manifest.ts'
import { isInside } from './paths.ts'

interface BackupOptions {
  readonly dataDir: string
  /** The folder to make; it must not exist. */
  readonly to: string
  readonly release: string
  /** The database with `heatmark_local`, if it is not in the data directory's own PostgreSQL. */
  readonly databaseUrl?: string | undefined
  readonly now: () => Date
  readonly log?: (line: string) => void
  /** Aborts the backup; then nothing is left behind. */
  readonly signal?: AbortSignal
}

/**
 * Save a data directory of the embedded stack in a new folder for this user alone, while a service may use it:
 * a snapshot of the events, the clients and signing keys of the identity provider, and the rows of PostgreSQL that
 * are not built from events. The folder gets its name when it is complete.
 * @throws Error of one line that names the fault; then nothing is left behind
 */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const to = resolve(options.to)
  const dataDir = resolve(options.dataDir)
  if (existsSync(to)) throw new Error(`${to} exists already: name a new folder`)
  if (!existsSync(join(dataDir, eventsFile)))
    throw new Error(`${dataDir} is not a data directory of the embedded stack: it has no ${eventsFile}`)
  if (isInside(to, dataDir))
    throw new Error(
      `${to} is in the data directory itself, and would be lost with it: name a folder elsewhere`,
    )
  const draft = makeDraftFolder(`${to}.partial-`)
  try {
    const manifest = await fill(draft, { ...options, dataDir })
    writePrivateJson(join(draft, manifestFile), manifest)
    sync(draft)
    renameSync(draft, to)
    sync(dirname(to))
    return manifest
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // After an abort the error is a consequence of the abort.
    throw options.signal?.aborted ? new Error('interrupted: nothing was saved; start again') : error
  }
}

async function fill(folder: string, options: BackupOptions): Promise<Manifest> {
  const { dataDir, release, now, signal } = options
  const local = await localRows(options)
  if (local) writePrivateJson(join(folder, localRowsFile), local)
  signal?.throwIfAborted()
  backupStore(join(dataDir, eventsFile), join(folder, eventsFile))
  chmodSync(join(folder, eventsFile), 0o600)
  const identities = identityFiles.filter((name) => existsSync(join(dataDir, name)))
  for (const name of identities) copyPrivate(join(dataDir, name), join(folder, name))
  const events = checkStore(join(folder, eventsFile))
  const files = [await describeFile(folder, eventsFile)]
  for (const name of identities) files.push(await describeFile(folder, name))
  if (local) files.push(await describeFile(folder, localRowsFile))
  signal?.throwIfAborted()
  const stored = join(dataDir, documentsFolder)
  // After the events: each document that they name is there.
  const documents = existsSync(stored)
    ? await copyDocuments(stored, join(folder, documentsFolder), signal)
    : null
  return {
    format,
    release,
    takenAt: now().toISOString(),
    events,
    localVersion: local?.version ?? null,
    files,
    documents,
  }
}

async function localRows(options: BackupOptions): Promise<LocalRows | undefined> {
  const { dataDir, databaseUrl } = options
  if (databaseUrl) return rowsAt(databaseUrl)
  try {
    const unlock = lockDataDir(dataDir)
    try {
      return await rowsAtRest(options)
    } finally {
      unlock()
    }
  } catch (error) {
    if (isFailure(error, 'data-directory-in-use')) return rowsInUse(dataDir)
    throw error
  }
}

/** Take the rows of a stopped Heatmark: start its PostgreSQL for as long as this takes. */
async function rowsAtRest({ dataDir, log, signal }: BackupOptions): Promise<LocalRows | undefined> {
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return undefined
  const server = await startPostgres({ dataDir, ...(log && { log }), ...(signal && { signal }) })
  try {
    return await rowsAt(server.url)
  } finally {
    await server.stop()
  }
}

/** Take the rows of a running Heatmark from the database that it uses. */
async function rowsInUse(dataDir: string): Promise<LocalRows | undefined> {
  try {
    const dev = readDevFile(dataDir)
    if (dev === undefined) throw new Error('it has not written dev.json')
    return await rowsAt(JSON.parse(dev).databaseUrl)
  } catch (error) {
    throw new Error(
      `the Heatmark that uses ${dataDir} cannot be asked (${(error as Error).message}): if it is just starting, try again`,
    )
  }
}

async function rowsAt(url: string): Promise<LocalRows | undefined> {
  const postgres = connectPostgres({ url, name: 'heatmark backup', size: 1, queryTimeoutMs: 60_000 })
  try {
    return await takeLocalRows(postgres)
  } finally {
    await postgres.close()
  }
}
