/** A batch tells every node by NOTIFY which read models it moved, how far, and what it changed. */

/** A read model that changed, and the company: '' for an event that names none, which may concern any company. */
export interface Changed {
  readonly companyId: string
  readonly projection: string
}

export interface Notice {
  /** The position at which the batch began. A node that has not heard up to here has missed a notice. */
  readonly from: number
  /** Every projection that took part and did not stop has reached this. */
  readonly to: number
  /** The projections that took part, by name, with the generation of the tables that the batch wrote to. */
  readonly moved: Readonly<Record<string, number>>
  /** The projections that took part and stopped before an event of the batch. */
  readonly stopped: readonly string[]
  readonly changed: readonly Changed[] | '*'
}

/** PostgreSQL refuses a payload of 8,000 bytes. A longer list of changes becomes `*`. */
export const maxPayloadBytes = 7_000

/** The payload, always short enough. Positions and names of projections are short by themselves. */
export function encodeNotice({ changed, ...notice }: Notice): string {
  const all = encode(notice, '*')
  if (changed === '*') return all
  const names = changed.map(({ companyId, projection }) => `${companyId}:${projection}`)
  // A list with too many characters has too many bytes as well, so its text is not made first.
  if (names.reduce((length, name) => length + name.length, 0) > maxPayloadBytes) return all
  const payload = encode(notice, names)
  return Buffer.byteLength(payload) > maxPayloadBytes ? all : payload
}

/** Return undefined for a payload that is no notice: then anything may have changed. */
export function decodeNotice(payload: string): Notice | undefined {
  try {
    const { from, to, moved, stopped, changed } = JSON.parse(payload)
    if (typeof from !== 'number' || typeof to !== 'number' || !Array.isArray(stopped)) return undefined
    if (typeof moved !== 'object' || moved === null) return undefined
    return { from, to, moved, stopped, changed: changed === '*' ? '*' : changed.map(decodeChanged) }
  } catch {
    return undefined
  }
}

function encode(notice: Omit<Notice, 'changed'>, changed: string[] | '*'): string {
  return JSON.stringify({ ...notice, changed })
}

function decodeChanged(name: string): Changed {
  const colon = name.lastIndexOf(':')
  return { companyId: name.slice(0, colon), projection: name.slice(colon + 1) }
}
