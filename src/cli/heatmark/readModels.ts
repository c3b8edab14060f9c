import { Failure } from '../../lib/failure.ts'
import { storePrefixOf } from '../../projections/engine/schema/sql.ts'
import { localVersion as known, readLocalSchemaStatus } from '../../stores/localSchema/migrate.ts'
import type { Queries } from '../../stores/postgres/postgres.ts'

/** Find out whether the database has this release's read models of this store. */

/** The reason why the read models cannot be used, and what to do. */
export interface Fault {
  readonly what: string
  readonly todo: string
}

/** The fault as an error, for commands that need the read models. */
export class NoReadModels extends Failure<'no-read-models'> {
  override readonly name = 'NoReadModels'
  readonly todo: string
  constructor({ what, todo }: Fault) {
    super('no-read-models', what)
    this.todo = todo
  }
}

export interface SchemaLook {
  readonly fault?: Fault
  /** Schemas of other releases for the same store. */
  readonly others: readonly string[]
}

export const unusedStore: Fault = {
  what: 'no service has used this event store yet',
  todo: 'start the service once; if it has run before, EVENTSTORE_URL does not name its store',
}

interface FoundSchemas {
  readonly database: string
  readonly hasStates: boolean
  /** The schemas of read models of any store. */
  readonly schemas: readonly string[]
}

/** @throws PostgresUnavailable; DatabaseError when the database user may not use the schemas */
export async function lookForSchema(postgres: Queries, schema: string): Promise<SchemaLook> {
  const [schemas] = await postgres.query<FoundSchemas>(
    `SELECT current_database() AS database,
       EXISTS (
         SELECT FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
         WHERE nspname = $1 AND relname = 'projection'
       ) AS "hasStates",
       ARRAY(SELECT nspname::text FROM pg_namespace WHERE nspname ~ '^heatmark_[0-9a-f]{32}_' ORDER BY nspname) AS schemas`,
    [schema],
  )
  const local = schemas!.hasStates ? await readLocalSchemaStatus(postgres) : undefined
  const fault = faultOf(schemas!, schema, local?.version)
  const others = schemas!.schemas.filter((name) => name !== schema && isOfSameStore(name, schema))
  return { ...(fault && { fault }), others }
}

function faultOf(
  { database, hasStates, schemas }: FoundSchemas,
  schema: string,
  localVersion: number | undefined,
): Fault | undefined {
  const ofStore = schemas.filter((name) => isOfSameStore(name, schema))
  if (ofStore.includes(schema)) {
    if (!hasStates)
      return {
        what: `the schema ${schema} is damaged: its table projection is missing`,
        todo: `DROP SCHEMA ${schema} CASCADE in that database, then restart the service: it builds the read models again from the events`,
      }
    if (localVersion === undefined)
      return {
        what: `the database ${database} has no schema heatmark_local`,
        todo: 'start the service once: it creates the schema',
      }
    return localVersion < known
      ? {
          what: `schema heatmark_local is at version ${localVersion}; this release has ${known}`,
          todo: 'start this release once: it migrates in place',
        }
      : undefined
  }
  if (ofStore.length > 0)
    return {
      what: `this release has no read models here (schema ${schema}), only other releases have: ${ofStore.join(', ')}`,
      todo: 'start this release: it builds them from the first event, while the other release keeps serving its own',
    }
  if (schemas.length > 0)
    return {
      what: `the database ${database} has read models of another event store, and none of this one`,
      todo: 'check that EVENTSTORE_URL and DATABASE_URL belong together; if they do, start the service, which builds them',
    }
  return {
    what: `the database ${database} has no read models`,
    todo: 'start the service once, or restart it if it runs (somebody has dropped them): it builds them; or correct DATABASE_URL, which may name the wrong database',
  }
}

function isOfSameStore(name: string, schema: string): boolean {
  return name.startsWith(storePrefixOf(schema))
}
