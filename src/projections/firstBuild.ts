import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore } from '../eventStore.ts'
import { identifier, literal, type Postgres } from '../postgres.ts'
import { underConstruction } from './schema.ts'
import type { Named, Positions } from './waitFor.ts'

/**
 * The first time that a release's read models are built, over a history that is there already. Until they have
 * once shown all of it nobody is served from them: half a list would look like a whole one, and nobody would be
 * a member of anything yet. Later they may lag, and are served all the same.
 */
export interface FirstBuild {
  /** How far it is when it is still under way after `withinMs`; undefined when it is over. */
  underWay(withinMs: number): Promise<Progress | undefined>
  /** Ends the watch. */
  close(): Promise<void>
}

export interface Progress {
  readonly position: number
  readonly head: number
}

export interface FirstBuildOptions {
  readonly eventStore: Pick<EventStore, 'last'>
  readonly postgres: Postgres
  readonly schema: string
  readonly projections: readonly Named[]
  readonly positions: Pick<Positions, 'waitFor' | 'statuses' | 'heard'>
}

const lookWithinMs = 500
const pauseMs = 50

/** Whoever makes a schema leaves a note in it; whoever sees that it shows everything takes the note away. */
export const watchFirstBuild = (options: FirstBuildOptions): FirstBuild => {
  const { eventStore, postgres, schema, projections, positions } = options
  const closing = new AbortController()
  let progress: Progress | undefined = { position: 0, head: 0 }

  const isNoted = async (): Promise<boolean> => {
    const [row] = await postgres.query<{ note: string | null }>(
      `SELECT obj_description(oid) AS note FROM pg_namespace WHERE nspname = ${literal(schema)}`,
      [],
    )
    return row?.note === underConstruction
  }

  /** One that has stopped is not waited for: its rows are as good as they will be without an operator. */
  const running = (): readonly Named[] => {
    const stopped = positions.statuses().filter(({ status }) => status === 'failed')
    return projections.filter(({ name }) => !stopped.some((one) => one.name === name))
  }

  const isOver = async (): Promise<boolean> => {
    if (!(await isNoted())) return true
    const head = (await eventStore.last())?.position ?? 0
    if (!(await positions.waitFor(running(), head, lookWithinMs))) {
      progress = { position: positions.heard(running()), head }
      return false
    }
    // A role that may not leaves it there, and each process of it looks for itself.
    await postgres.query(`COMMENT ON SCHEMA ${identifier(schema)} IS NULL`).catch(() => {})
    return true
  }

  const watch = async () => {
    while (!closing.signal.aborted) {
      // A store that does not answer says nothing yet.
      if (await isOver().catch(() => false)) break
      await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
    }
    progress = undefined
  }
  const watching = watch()

  return {
    async underWay(withinMs) {
      if (progress) await Promise.race([watching, pause(withinMs, undefined, { ref: false })])
      return progress
    },
    async close() {
      closing.abort()
      await watching
    },
  }
}
