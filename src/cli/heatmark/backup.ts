import packageJson from '../../../package.json' with { type: 'json' }
import { defaultDataDir } from '../../config.ts'
import type { Output } from './output.ts'

/** Backup and restore of the embedded stack; stores of one's own have means of their own for it. */

function dataDirOf(env: NodeJS.ProcessEnv): string {
  if (env.EVENTSTORE_URL)
    throw new Error(
      'this is for the embedded stack, and EVENTSTORE_URL names another store: docs/operations.md says how that is saved and restored',
    )
  return env.HEATMARK_DATA_DIR || defaultDataDir
}

function whatIsIn({ events, streams, head }: { events: number; streams: number; head: number }): string {
  return `${events} events in ${streams} streams, up to position ${head}`
}

/** @throws Error of one line; nothing is left then */
export async function backup(
  directory: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  // Loaded only here: an image of the service is built without the embedded stack's packages.
  const { takeBackup } = await import('../../embedded/backup/take.ts')
  const manifest = await takeBackup({
    ...{ dataDir: dataDirOf(env), to: directory, release: packageJson.version, signal },
    databaseUrl: env.DATABASE_URL,
    now: () => new Date(),
    log: (line) => output.remark(line),
  })
  output.record(
    { directory, ...manifest },
    `${whatIsIn(manifest.events)}, saved in ${directory}. Keep it as you keep secrets: it holds the keys that sign tokens.`,
  )
}

/** @throws Error of one line; then all is as it was */
export async function restore(
  directory: string,
  { replace }: { replace?: boolean },
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  const { restoreBackup } = await import('../../embedded/backup/restore.ts')
  const { dataDir, manifest, aside, policyRestarts } = await restoreBackup({
    ...{ from: directory, dataDir: dataDirOf(env), replace: replace === true, signal },
    ownDatabase: !env.DATABASE_URL,
    now: () => new Date(),
    log: (line) => output.remark(line),
  })
  const moved = aside ? `; what was there is now in ${aside}` : ''
  output.record(
    { dataDir, aside: aside ?? null, policyRestarts, ...manifest },
    `${whatIsIn(manifest.events)}, as of ${manifest.takenAt}, are in ${dataDir}${moved}. "npm start" builds the read models from them.`,
  )
  if (policyRestarts)
    output.remark(
      'How far rule packs were evaluated is left out, as it does not go with these events: they are evaluated again from the first.',
    )
}
