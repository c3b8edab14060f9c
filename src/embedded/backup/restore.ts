import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { connectPostgres } from '../../stores/postgres/postgres.ts'
import { lockDataDir } from '../dataDirLock.ts'
import { copyPrivate, diskFault, makeDraftFolder, makePrivateFolder, readJson, sync } from '../files.ts'
import { startPostgres } from '../postgres.ts'
import { runningProcesses } from '../processes.ts'
import { copyDocuments } from './documents.ts'
import { countRows, type LocalRows, loadLocalRows } from './localRows.ts'
import {
  checkFiles,
  documentsFolder,
  eventsFile,
  identityFiles,
  localRowsFile,
  type Manifest,
  readManifest,
} from './manifest.ts'
import { isInside } from './paths.ts'
import { leaveOutStrays } from './strays.ts'

interface RestoreOptions {
  /** A folder that `takeBackup` made. */
  readonly from: string
  readonly dataDir: string
  /** Moves an existing data directory aside. If false, the directory must be empty or missing. */
  readonly replace: boolean
  /** False if the operator runs PostgreSQL: then its rows stay as they are. */
  readonly ownDatabase: boolean
  readonly now: () => Date
  readonly log?: (line: string) => void
  readonly signal?: AbortSignal
}

export interface Restored {
  readonly dataDir: string
  readonly manifest: Manifest
  /** The new place of the former data directory. */
  readonly aside: string | undefined
  /** True if the policies' checkpoints were left out, because they were ahead of the events. */
  readonly policyRestarts: boolean
}

/**
 * Make a data directory from a backup, whole or not at all: check every byte before and after copying it. The
 * service builds the read models again from the events when it starts.
 * @throws Error of one line that names the fault; then nothing has changed
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const from = resolve(options.from)
  const dataDir = existsSync(options.dataDir) ? realpathSync(options.dataDir) : resolve(options.dataDir)
  const manifest = readManifest(from)
  refuseOverlap(from, dataDir)
  await checkFiles(from, manifest)
  if (options.signal?.aborted) throw interruptedRestore(dataDir)
  let unlock = claim(dataDir, options.replace)
  const wasFree = isFree(dataDir)
  try {
    makePrivateFolder(dirname(dataDir))
    const draft = makeDraftFolder(`${dataDir}.restoring-`)
    try {
      for (const { name } of manifest.files) copyPrivate(join(from, name), join(draft, name))
      if (manifest.documents)
        await copyDocuments(join(from, documentsFolder), join(draft, documentsFolder), options.signal)
      await checkFiles(draft, manifest)
      let policyRestarts = false
      if (manifest.localVersion !== null)
        if (options.ownDatabase) policyRestarts = await loadRows(draft, options)
        else rmSync(join(draft, localRowsFile))
      options.signal?.throwIfAborted()
      sync(draft)
      // A service may have started in this directory meanwhile.
      if (wasFree) unlock = claim(dataDir, options.replace)
      return { dataDir, manifest, aside: putInPlace(draft, dataDir, options.now), policyRestarts }
    } catch (error) {
      removeDraft(draft)
      // After an abort the error is a consequence of the abort.
      throw options.signal?.aborted ? interruptedRestore(dataDir) : error
    }
  } finally {
    unlock()
  }
}

function isFree(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0
}

/** A data directory has at least one of these files, even if it has lost its events. */
const marks = [eventsFile, ...identityFiles, 'lock.pid']

function refuseStranger(folder: string): void {
  if (!marks.some((name) => existsSync(join(folder, name))))
    throw new Error(
      `${folder} is not empty, and is not a data directory of the embedded stack: it has none of ${marks.join(', ')}; name another with HEATMARK_DATA_DIR`,
    )
}

/** Refuse two folders of which one is in the other: it would be moved aside or changed with it. */
function refuseOverlap(from: string, dataDir: string): void {
  if (isInside(from, dataDir) || isInside(dataDir, from))
    throw new Error(
      `the backup ${from} and the data directory ${dataDir} are the same folder, or one is in the other: name another with HEATMARK_DATA_DIR, or move the backup elsewhere`,
    )
}

/** Lock the data directory against other Heatmarks. @throws Error of one line when it may not be replaced */
function claim(dataDir: string, replace: boolean): () => void {
  if (isFree(dataDir)) return () => {}
  refuseStranger(dataDir)
  const names = readdirSync(dataDir)
  const unlock = names.includes('lock') ? lockDataDir(dataDir) : () => {}
  const left = runningProcesses().filter(({ args, cwd }) =>
    [cwd, ...args].some((word) => word.startsWith(`${dataDir}/`)),
  )
  const others = left.filter(({ pid }) => pid !== process.pid)
  try {
    if (others.length > 0)
      throw new Error(
        `${dataDir} is in use by processes that a killed Heatmark left running (pid ${others.map(({ pid }) => pid).join(', ')}): start and stop it once`,
      )
    if (!replace)
      throw new Error(
        `${dataDir} is not empty: name another with HEATMARK_DATA_DIR, or add --replace, which moves it aside`,
      )
    return unlock
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Load the rows into the PostgreSQL of the new data directory, and start it for as long as this takes.
 * @returns whether the checkpoints of the policies were left out
 */
async function loadRows(dataDir: string, { log, signal }: RestoreOptions): Promise<boolean> {
  const saved = readJson(join(dataDir, localRowsFile)) as LocalRows
  const rows = leaveOutStrays(saved, join(dataDir, eventsFile))
  if (countRows(rows) > 0) {
    const server = await startPostgres({ dataDir, ...(log && { log }), ...(signal && { signal }) })
    const postgres = connectPostgres({ url: server.url, name: 'heatmark restore', size: 1 })
    try {
      await loadLocalRows(postgres, rows)
    } finally {
      await postgres.close()
      await server.stop()
    }
  }
  rmSync(join(dataDir, localRowsFile))
  return rows !== saved
}

function removeDraft(draft: string): void {
  // If root runs PostgreSQL, this may be a link to data elsewhere.
  const postgres = join(draft, 'postgres')
  const elsewhere = lstatSync(postgres, { throwIfNoEntry: false })?.isSymbolicLink()
  if (elsewhere) rmSync(dirname(readlinkSync(postgres)), { recursive: true, force: true })
  rmSync(draft, { recursive: true, force: true })
}

function interruptedRestore(dataDir: string): Error {
  return new Error(
    `interrupted: nothing was restored and ${dataDir} is as it was; to restore it, start again`,
  )
}

function putInPlace(draft: string, dataDir: string, now: () => Date): string | undefined {
  const aside = isFree(dataDir)
    ? undefined
    : `${dataDir}.replaced-${now().toISOString().replaceAll(/[:.]/g, '-')}`
  try {
    if (aside) renameSync(dataDir, aside)
    renameSync(draft, dataDir)
  } catch (error) {
    if (aside && !existsSync(dataDir) && existsSync(aside)) renameSync(aside, dataDir)
    throw new Error(`${dataDir} cannot be put in place: ${diskFault(error)}`)
  }
  sync(dirname(dataDir))
  return aside
}
