import {
  type LocalSchemaStatus,
  localVersion,
  readLocalSchemaStatus,
} from '../../../stores/localSchema/migrate.ts'
import { localTables } from '../../../stores/localSchema/tables.ts'
import type { Queries } from '../../../stores/postgres/postgres.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Check that this release can work with `heatmark_local`, and that no table is missing. */

const check = 'schema heatmark_local'

/** Without that schema there is no finding: the check of the read models reports it. @throws PostgresUnavailable */
export async function checkLocalSchema(postgres: Queries): Promise<Finding[]> {
  const status = await readLocalSchemaStatus(postgres)
  if (!status) return []
  return [versionFault(status) ?? (await tablesFinding(postgres, status))]
}

async function tablesFinding(postgres: Queries, { version }: LocalSchemaStatus): Promise<Finding> {
  const missing = await missingTables(postgres)
  if (missing.length > 0)
    return problem(
      check,
      `somebody has dropped ${missing.join(', ')}`,
      'stop every process; DROP SCHEMA heatmark_local CASCADE; restore it from a backup, if there is one ("Backup and restore" in docs/operations.md); start the service',
    )
  return ok(check, version > localVersion ? `${ofNewer(version)}, and can work on it` : `version ${version}`)
}

function ofNewer(version: number): string {
  return `version ${version}, of a newer release; this one knows ${localVersion}`
}

function versionFault({ version, startableFrom }: LocalSchemaStatus): Finding | undefined {
  if (localVersion < startableFrom)
    return problem(check, ofNewer(version), 'use the newer release: this one does not start on it any more')
  if (version >= localVersion) return undefined
  return problem(
    check,
    `version ${version}; this release has ${localVersion}`,
    'start this release once: it migrates in place',
  )
}

async function missingTables(postgres: Queries): Promise<string[]> {
  const rows = await postgres.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS known (name)
     WHERE to_regclass('heatmark_local.' || quote_ident(name)) IS NULL`,
    [Object.keys(localTables)],
  )
  return rows.map(({ name }) => name)
}
