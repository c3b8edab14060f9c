import { defaultDataDir } from '../../config/config.ts'
import { now } from '../../lib/clocks.ts'
import { countText } from '../../lib/countText.ts'
import { findRelease } from '../../lib/release.ts'
import type { Output } from './output.ts'

/** Backup and restore of the embedded stack. Other stores have tools of their own for it. */

/** @throws Error with one line, after removing what was written */
export async function backup(
  directory: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  // Imported only here: an image of the service is built without the packages of the embedded stack.
  const { takeBackup } = await import('../../embedded/backup/take.ts')
  const manifest = await takeBackup({
    dataDir: dataDirOf(env),
    to: directory,
    release: findRelease().version,
    signal,
    databaseUrl: env.DATABASE_URL,
    now,
    log: (line) => output.remark(line),
  })
  output.record(
    { directory, ...manifest },
    `${eventsText(manifest.events)}${documentsText(manifest.documents)}, saved in ${directory}. Keep it secret: it holds the keys that sign tokens.`,
  )
  if (env.DOCUMENTS_URL)
    output.remark(
      `The documents in ${env.DOCUMENTS_URL} are not in it: save that bucket by itself, after this backup.`,
    )
}

/** @throws Error with one line, after undoing every change */
export async function restore(
  directory: string,
  { replace }: { replace?: boolean },
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  const { restoreBackup } = await import('../../embedded/backup/restore.ts')
  const { dataDir, manifest, aside, policyRestarts } = await restoreBackup({
    from: directory,
    dataDir: dataDirOf(env),
    replace: replace === true,
    signal,
    ownDatabase: !env.DATABASE_URL,
    now,
    log: (line) => output.remark(line),
  })
  const moved = aside ? `; the previous data directory is now ${aside}` : ''
  output.record(
    { dataDir, aside: aside ?? null, policyRestarts, ...manifest },
    `${eventsText(manifest.events)}${documentsText(manifest.documents)}, as of ${manifest.takenAt}, are in ${dataDir}${moved}. "npm start" builds the read models from them.`,
  )
  if (policyRestarts)
    output.remark(
      'The progress of rule packs was not restored, because it does not match these events: the service evaluates all subjects again.',
    )
}

function dataDirOf(env: NodeJS.ProcessEnv): string {
  if (env.EVENTSTORE_URL)
    throw new Error(
      'this command is for the embedded stack, but EVENTSTORE_URL names another store: docs/operations.md says how to save and restore that',
    )
  return env.HEATMARK_DATA_DIR || defaultDataDir
}

function documentsText(documents: { files: number } | null): string {
  return documents === null ? '' : `, and ${countText(documents.files, 'document')}`
}

function eventsText({ events, streams, head }: { events: number; streams: number; head: number }): string {
  return `${countText(events, 'event')} in ${countText(streams, 'stream')}, up to position ${head}`
}
