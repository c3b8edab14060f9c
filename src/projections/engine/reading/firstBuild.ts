import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore } from '../../../stores/eventStore.ts'
import { isRefused, literalOf, type Postgres, quoteIdentifier } from '../../../stores/postgres/postgres.ts'
import type { ReadModels } from '../schema/readModels.ts'
import { underConstruction } from '../schema/schema.ts'
import type { Named, Positions } from './waitFor.ts'

/**
 * The first build of a release's read models over an existing history. Until they have shown all of it once, nobody is
 * served from them: half a list would look like a whole one, and nobody would be a member of any company yet. Later they
 * may lag, and are served all the same.
 */
export interface FirstBuild {
  /**
   * How far it is when it is still under way after `withinMs`; undefined when it is over.
   * @throws StoreUnavailable, PostgresUnavailable when that cannot be known
   */
  underWay(withinMs: number): Promise<Progress | undefined>
  /** Stop watching. */
  close(): Promise<void>
}

export interface Progress {
  readonly position: number
  readonly head: number
}

export interface FirstBuildOptions {
  readonly eventStore: Pick<EventStore, 'last'>
  readonly postgres: Postgres
  readonly readModels: ReadModels
  readonly positions: Pick<Positions, 'waitFor' | 'statuses' | 'positionOf' | 'isRewound'>
}

const lookEveryMs = 500

/**
 * The process that creates a schema leaves a note in it. The first process that sees the schema show everything takes
 * the note away. A database user who may not do so leaves it there, and each of its processes looks for itself.
 */
export function watchFirstBuild(options: FirstBuildOptions): FirstBuild {
  const { eventStore, postgres, positions } = options
  const { schema } = options.readModels
  const closing = new AbortController()
  const over = new AbortController()
  let progress: Progress = { position: 0, head: 0 }
  let failure: unknown

  const rest = () => pause(lookEveryMs, undefined, { signal: closing.signal }).catch(() => {})

  const watch = async () => {
    if (!(await isNoted(postgres, schema))) return over.abort()
    // The target is the present head: while events keep coming, a moving target might never be reached.
    const head = (await eventStore.last())?.position ?? 0
    while (!closing.signal.aborted) {
      failure = undefined
      progress = { position: positions.positionOf(findRunning(options)), head }
      // Rows of another history may show a position that this store has not reached.
      if (positions.isRewound()) await rest()
      else if (await positions.waitFor(findRunning(options), head, lookEveryMs)) {
        await takeNoteAway(postgres, schema)
        return over.abort()
      }
    }
  }

  const keepWatching = async () => {
    while (!closing.signal.aborted && !over.signal.aborted) {
      await watch().catch((error) => {
        failure = error
        return rest()
      })
    }
  }
  void keepWatching()

  return {
    async underWay(withinMs) {
      if (over.signal.aborted) return undefined
      await pause(withinMs, undefined, { signal: over.signal, ref: false }).catch(() => {})
      if (over.signal.aborted) return undefined
      if (failure) throw failure
      return progress
    },
    async close() {
      closing.abort()
    },
  }
}

/** One that has stopped is not waited for: its rows are as good as they will be without an operator. */
function findRunning({ readModels, positions }: FirstBuildOptions): readonly Named[] {
  const stopped = positions.statuses().filter(({ status }) => status === 'failed')
  return readModels.projections.filter(
    ({ name, isBackground }) => !isBackground && !stopped.some((one) => one.name === name),
  )
}

async function isNoted(postgres: Postgres, schema: string): Promise<boolean> {
  const [row] = await postgres.query<{ note: string | null }>(
    `SELECT obj_description(oid, 'pg_namespace') AS note FROM pg_namespace WHERE nspname = ${literalOf(schema)}`,
    [],
  )
  return row?.note === underConstruction
}

async function takeNoteAway(postgres: Postgres, schema: string): Promise<void> {
  try {
    await postgres.query(`COMMENT ON SCHEMA ${quoteIdentifier(schema)} IS NULL`)
  } catch (error) {
    if (!isRefused(error)) throw error
  }
}
