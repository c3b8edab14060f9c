import { isFailure } from '../../lib/failure.ts'
import type { Postgres } from '../../stores/postgres/postgres.ts'

/**
 * An anchor is a checkpoint that is kept elsewhere. A history that is rewritten together with its last checkpoint
 * contradicts the anchor. Events after the newest anchor are not protected in this way.
 */
export interface Anchor {
  readonly kind: AnchorKind
  /** The number of events that the checkpoint covers. */
  readonly size: number
  /** RFC 3339. */
  readonly anchoredAt: string
}

/** `export`: somebody has downloaded a signed export. */
export type AnchorKind = 'export' | AnchorPlace['kind']

/** A place to which the signer brings checkpoints. */
export interface AnchorPlace {
  readonly kind: 'folder' | 'timestamp'
  /** The least milliseconds between two checkpoints of a company. */
  readonly everyMs: number
  /**
   * Check that the place still has at least one of the checkpoints that it took.
   * @param taken the last one of each company
   * @throws Error of one line when it has none, so that it is given no more
   */
  check?(taken: readonly Pick<AnchoredCheckpoint, 'companyId' | 'size'>[]): Promise<void>
  /**
   * Bring a checkpoint to the place, and return the one that the place holds now.
   * @throws Failure `company-not-anchored`; Error of one line when the place takes none at all
   */
  put(checkpoint: DueCheckpoint): Promise<Taken>
}

/** A checkpoint as a place has taken it. */
export interface Taken {
  readonly note: string
  /** Null for a place that gives no proof. */
  readonly proof: Buffer | null
}

interface AnchoredCheckpoint {
  readonly companyId: string
  readonly size: number
  readonly note: string
}

/** A checkpoint that is to be anchored. */
interface DueCheckpoint extends AnchoredCheckpoint {
  /** The company's checkpoint that the place took last; null for the first one. */
  readonly before: AnchoredCheckpoint | null
}

interface AnchorsOptions {
  readonly postgres: Pick<Postgres, 'query'>
  readonly storeId: string
}

/**
 * Bring the last checkpoint of each company to a place, if it covers more events than the one there, and the time has
 * come. A company whose checkpoint cannot be brought there does not hold up the others.
 * @param onAnswer called whenever the place has answered
 * @throws Error of one line when the place does not take one; PostgresUnavailable
 */
export async function anchorDue(
  options: AnchorsOptions,
  place: AnchorPlace,
  over: AbortSignal,
  onAnswer: () => void = () => {},
): Promise<void> {
  const { postgres, storeId } = options
  const due = await postgres.query<DueCheckpoint>(dueSql, [storeId, place.kind, place.everyMs / 1_000])
  if (due.length === 0) return
  await place.check?.(await postgres.query(takenSql, [storeId, place.kind]))
  onAnswer()
  const faults: Fault[] = []
  for (const checkpoint of due) {
    if (over.aborted) return
    try {
      const { note, proof } = await place.put(checkpoint)
      await keepAnchor(options, place.kind, { ...checkpoint, note }, proof)
    } catch (error) {
      if (!isFailure(error, 'company-not-anchored')) throw error
      faults.push({ companyId: checkpoint.companyId, message: error.message })
    }
    onAnswer()
  }
  if (faults.length > 0) throw new Error(faultsText(faults))
}

const dueSql = `
  SELECT last.company_id AS "companyId", last.size, last.note,
         CASE WHEN anchor.size IS NOT NULL THEN
           json_build_object('companyId', anchor.company_id, 'size', anchor.size, 'note', anchor.note)
         END AS before
  FROM heatmark_local.log_checkpoint last
  LEFT JOIN heatmark_local.log_anchor anchor
    ON anchor.store_id = last.store_id AND anchor.company_id = last.company_id AND anchor.kind = $2
  WHERE last.store_id = $1 AND last.size > coalesce(anchor.size, 0)
    AND (anchor.kind IS NULL OR anchor.anchored_at <= clock_timestamp() - make_interval(secs => $3))
  ORDER BY last.company_id`

const takenSql = `
  SELECT company_id AS "companyId", size FROM heatmark_local.log_anchor WHERE store_id = $1 AND kind = $2`

interface Fault {
  readonly companyId: string
  readonly message: string
}

const mostNamed = 5

/** Say what is wrong with one company, if possible one whose history has changed, and name the others. */
function faultsText(faults: readonly Fault[]): string {
  const first = faults.find(({ message }) => message.startsWith('history-diverged')) ?? faults[0]!
  const others = faults.filter((fault) => fault !== first).map(({ companyId }) => companyId)
  const unnamed = others.splice(mostNamed).length
  const rest = others.length > 0 ? `; not anchored either: ${others.join(', ')}` : ''
  return `${first.message} (company ${first.companyId})${rest}${unnamed > 0 ? ` and ${unnamed} more` : ''}`
}

/** Note that a checkpoint is kept elsewhere. Of each kind, the one that covers most events counts. */
export async function keepAnchor(
  { postgres, storeId }: AnchorsOptions,
  kind: AnchorKind,
  { companyId, size, note }: AnchoredCheckpoint,
  proof: Buffer | null = null,
): Promise<void> {
  await postgres.query(
    `INSERT INTO heatmark_local.log_anchor AS anchor (store_id, company_id, kind, size, note, proof)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (store_id, company_id, kind) DO UPDATE
     SET size = EXCLUDED.size, note = EXCLUDED.note, proof = EXCLUDED.proof, anchored_at = now()
     WHERE anchor.size < EXCLUDED.size`,
    [storeId, companyId, kind, size, note, proof?.toString('base64') ?? null],
  )
}

/** Return the anchors of each company, the one that covers most events first. @throws PostgresUnavailable */
export async function listAnchors(
  { postgres, storeId }: AnchorsOptions,
  companyId?: string,
): Promise<ReadonlyMap<string, readonly Anchor[]>> {
  const rows = await postgres.query<Anchor & { readonly companyId: string }>(
    `SELECT company_id AS "companyId", kind, size, anchored_at AS "anchoredAt"
     FROM heatmark_local.log_anchor WHERE store_id = $1 AND ($2::uuid IS NULL OR company_id = $2)
     ORDER BY size DESC, anchored_at DESC, kind`,
    [storeId, companyId ?? null],
  )
  const byCompany = Map.groupBy(rows, (row) => row.companyId)
  return new Map(
    [...byCompany].map(([id, anchors]) => [id, anchors.map(({ companyId: _, ...anchor }) => anchor)]),
  )
}

/** A checkpoint with its timestamp. */
export interface Timestamped {
  readonly note: string
  readonly token: Buffer
}

/** Return the newest checkpoint of a company that has a timestamp. @throws PostgresUnavailable */
export async function lastTimestamp(
  { postgres, storeId }: AnchorsOptions,
  companyId: string,
): Promise<Timestamped | undefined> {
  const [row] = await postgres.query<{ note: string; proof: string }>(
    `SELECT note, proof FROM heatmark_local.log_anchor
     WHERE store_id = $1 AND company_id = $2 AND kind = 'timestamp'`,
    [storeId, companyId],
  )
  return row && { note: row.note, token: Buffer.from(row.proof, 'base64') }
}
