import { createSharedLookUps } from '../../admission/sharedLookUps.ts'
import type { Queries } from '../../stores/postgres/postgres.ts'

/** The rows of `heatmark_local.session`. Every request by cookie reads its row, so an end counts on all nodes at once. */

export interface SessionRow {
  /** The SHA-256 of the cookie. */
  readonly id: string
  readonly userId: string
  /** Sealed. Empty when the session has ended. */
  readonly tokens: string
  readonly tokenExpiresAt: string
  readonly usedAt: string
  /** The longest time between two uses so far, in seconds. */
  readonly longestIdle: number
  readonly endsAt: string
  readonly endedAt: string | null
}

interface NewSession {
  readonly id: string
  /** The SHA-256 of the state of its login. */
  readonly login: string
  readonly userId: string
  readonly issuer: string
  readonly subject: string
  readonly sid: string | undefined
  readonly tokens: string
  readonly tokenExpiresAt: Date
  readonly beganAt: Date
  readonly endsAt: Date
}

/** Tokens, and when the access token among them expires. */
export type SealedTokens = Pick<NewSession, 'tokens' | 'tokenExpiresAt'>

/** All throw PostgresUnavailable. */
export interface SessionRows {
  find(id: string): Promise<SessionRow | undefined>
  /** Return false, and add nothing, if the same login has begun a session already. */
  add(session: NewSession): Promise<boolean>
  /** Note a use, and how long there was none; the same minute costs no write. Return the last use that is noted. */
  noteUse(row: SessionRow, at: Date): Promise<string>
  /** Return whether this node may ask the provider for new tokens now: no other node does. */
  claimRefresh(row: SessionRow): Promise<boolean>
  /** Return false if the session has ended or has other tokens meanwhile. */
  saveTokens(row: SessionRow, fresh: SealedTokens): Promise<boolean>
  releaseRefresh(row: SessionRow): Promise<void>
  end(id: string, at: Date): Promise<void>
  /** End the sessions of a login at the provider, or without `sid` all of a person. */
  endOfProvider(of: { issuer: string; sid?: string; subject?: string }, at: Date): Promise<void>
  /** Delete the sessions that ended before this time. */
  forget(before: Date): Promise<void>
}

const columns = `id_hash AS id, user_id AS "userId", tokens, token_expires_at AS "tokenExpiresAt",
  used_at AS "usedAt", longest_idle_seconds AS "longestIdle", ends_at AS "endsAt", ended_at AS "endedAt"`
const ended = `ended_at = $1, tokens = '', refreshing_until = NULL`
const minuteMs = 60_000
/** Longer than a request to the provider may take. A node that ended in between blocks the others for so long. */
const refreshWithin = '15 seconds'

export function createSessionRows(postgres: Queries): SessionRows {
  const find = createSharedLookUps<SessionRow>(
    (ids) =>
      postgres.query(`SELECT ${columns} FROM heatmark_local.session WHERE id_hash = ANY($1)`, [[...ids]]),
    ({ id }) => id,
  )
  const run = async (text: string, values: readonly unknown[]) => {
    await postgres.query(text, values)
  }
  const hits = async (text: string, values: readonly unknown[]) =>
    (await postgres.query(`${text} RETURNING 1`, values)).length > 0

  return {
    find,
    add: (row) =>
      hits(
        `INSERT INTO heatmark_local.session
           (id_hash, login_hash, user_id, issuer, subject, sid, tokens, token_expires_at, began_at, used_at, ends_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10) ON CONFLICT (login_hash) DO NOTHING`,
        [row.id, row.login, row.userId, row.issuer, row.subject, row.sid, row.tokens].concat(
          [row.tokenExpiresAt, row.beganAt, row.endsAt].map((time) => time.toISOString()),
        ),
      ),
    noteUse: (row, at) => noteUse(postgres, row, at),
    claimRefresh: ({ id, tokens }) =>
      hits(
        `UPDATE heatmark_local.session SET refreshing_until = clock_timestamp() + interval '${refreshWithin}'
         WHERE id_hash = $1 AND tokens = $2 AND ended_at IS NULL
           AND (refreshing_until IS NULL OR refreshing_until < clock_timestamp())`,
        [id, tokens],
      ),
    saveTokens: ({ id, tokens }, fresh) =>
      hits(
        `UPDATE heatmark_local.session SET tokens = $3, token_expires_at = $4, refreshing_until = NULL
         WHERE id_hash = $1 AND tokens = $2 AND ended_at IS NULL`,
        [id, tokens, fresh.tokens, fresh.tokenExpiresAt.toISOString()],
      ),
    releaseRefresh: ({ id, tokens }) =>
      run('UPDATE heatmark_local.session SET refreshing_until = NULL WHERE id_hash = $1 AND tokens = $2', [
        id,
        tokens,
      ]),
    end: (id, at) =>
      run(`UPDATE heatmark_local.session SET ${ended} WHERE id_hash = $2 AND ended_at IS NULL`, [
        at.toISOString(),
        id,
      ]),
    endOfProvider: ({ issuer, sid, subject }, at) =>
      run(
        `UPDATE heatmark_local.session SET ${ended} WHERE issuer = $2 AND ended_at IS NULL
         AND ($3::text IS NULL OR sid = $3) AND ($4::text IS NULL OR subject = $4)`,
        [at.toISOString(), issuer, sid ?? null, subject ?? null],
      ),
    forget: (before) =>
      run('DELETE FROM heatmark_local.session WHERE least(ended_at, ends_at) < $1', [before.toISOString()]),
  }
}

async function noteUse(postgres: Queries, { id, usedAt }: SessionRow, at: Date): Promise<string> {
  if (at.getTime() - Date.parse(usedAt) < minuteMs) return usedAt
  await postgres.query(
    `UPDATE heatmark_local.session
     SET used_at = $2, longest_idle_seconds =
       greatest(longest_idle_seconds, extract(epoch FROM $2::timestamptz - used_at)::integer)
     WHERE id_hash = $1 AND used_at < $2 AND ended_at IS NULL`,
    [id, at.toISOString()],
  )
  return at.toISOString()
}
