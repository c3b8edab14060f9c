import type { Recorded } from '../../domain/kernel/event.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { isFailure } from '../../lib/failure.ts'
import { storeStream } from '../../projections/engine/schema/store.ts'
import { type EventStore, type NewEvent, noStream } from '../../stores/eventStore.ts'
import { isSigned } from './ed25519.ts'
import {
  type KeyPlace,
  readSigningKey,
  type SigningKey,
  signingKeyMissing,
  thumbprintOf,
} from './signingKey.ts'

/**
 * The public keys that sign the histories of a store are facts in it: the newest counts. So a process with another key
 * signs nothing. A key that follows another is announced with the signatures of both.
 */

const keyAnnounced = 'SigningKeyAnnounced'

interface KeyAnnounced {
  readonly type: typeof keyAnnounced
  readonly data: {
    /** The 32 bytes of the public key in base64url, as in a JWK. */
    readonly x: string
    /** The key before it; null for the first one. */
    readonly replaces: string | null
    /** Signatures of `statementOf`, in base64. The older key did not sign if it was lost. */
    readonly signatures: { readonly byNew: string; readonly byOld: string | null }
  }
}

interface AnnouncedKey {
  readonly publicKey: Buffer
  /** Whether the key before it has signed its announcement; null for the first key. */
  readonly isVouchedFor: boolean | null
}

/** The keys of a store, as a process with one of them, or with none, sees them. */
export interface Keys {
  /**
   * Return the key of this process. The first use announces it, if the store names none.
   * @throws Refusal 503 `signing-key-missing`, `signing-key-differs`; StoreUnavailable
   */
  own(): Promise<SigningKey>
  /**
   * Return the announced keys, the newest first. Announcements that their own keys did not sign do not count.
   * @throws Refusal 503 `signing-key-missing` when there are none; StoreUnavailable
   */
  list(): Promise<readonly AnnouncedKey[]>
}

interface KeysOptions {
  readonly eventStore: Pick<EventStore, 'readStream' | 'append'>
  readonly storeId: string
  /** Where the key of this process is; undefined for none. */
  readonly place: KeyPlace | undefined
  readonly stamp: Stamp
}

/** @throws Error of one line when the file is no private key, or others may read it */
export function createKeys({ eventStore, storeId, place, stamp }: KeysOptions): Keys {
  const key = place && readSigningKey(place)
  return {
    async own() {
      if (!key) throw signingKeyMissing()
      await requireAnnounced(eventStore, storeId, key, stamp)
      return key
    },
    async list() {
      const { keys } = await readKeys(eventStore, storeId)
      if (keys.length > 0) return keys
      if (!key) throw signingKeyMissing()
      return requireAnnounced(eventStore, storeId, key, stamp)
    },
  }
}

/**
 * Return the keys, and announce this one if there is none yet. Of several processes one is first.
 * @throws Refusal 503 `signing-key-differs` when the newest is another one; StoreUnavailable
 */
async function requireAnnounced(
  eventStore: Pick<EventStore, 'readStream' | 'append'>,
  storeId: string,
  key: SigningKey,
  stamp: Stamp,
): Promise<readonly AnnouncedKey[]> {
  for (;;) {
    const { keys, revision } = await readKeys(eventStore, storeId)
    const [newest] = keys
    if (newest && !newest.publicKey.equals(key.publicKey)) throw differs(newest.publicKey, key.publicKey)
    if (newest) return keys
    await announce(eventStore, { storeId, key, old: undefined, replaces: null, revision, stamp })
  }
}

/**
 * Announce a key in place of the newest one.
 * @param old the newest key; undefined when it was lost
 * @throws Error of one line when `old` is not the newest key; StoreUnavailable
 */
export async function replaceKey(
  eventStore: Pick<EventStore, 'readStream' | 'append'>,
  {
    storeId,
    key,
    old,
    stamp,
  }: { storeId: string; key: SigningKey; old: SigningKey | undefined; stamp: Stamp },
): Promise<void> {
  for (;;) {
    const { keys, revision } = await readKeys(eventStore, storeId)
    const [newest] = keys
    if (newest?.publicKey.equals(key.publicKey)) return
    if (newest && old && !newest.publicKey.equals(old.publicKey))
      throw new Error(
        `the key to replace is ${thumbprintOf(newest.publicKey)}, and not ${thumbprintOf(old.publicKey)}`,
      )
    const replaces = newest ? newest.publicKey.toString('base64url') : null
    if (await announce(eventStore, { storeId, key, old, replaces, revision, stamp })) return
  }
}

/** The ids and the time of an event. */
interface Stamp {
  readonly newId: () => string
  readonly now: () => Date
}

interface Announcement {
  readonly storeId: string
  readonly key: SigningKey
  readonly old: SigningKey | undefined
  readonly replaces: string | null
  readonly revision: number
  readonly stamp: Stamp
}

/** False when another event came first. */
async function announce(
  eventStore: Pick<EventStore, 'append'>,
  { storeId, key, old, replaces, revision, stamp }: Announcement,
): Promise<boolean> {
  const x = key.publicKey.toString('base64url')
  const statement = statementOf(storeId, x, replaces)
  const byOld = replaces !== null && old ? (await old.sign(statement)).toString('base64') : null
  const event: KeyAnnounced & Pick<NewEvent, 'id' | 'metadata'> = {
    id: stamp.newId(),
    type: keyAnnounced,
    data: { x, replaces, signatures: { byNew: (await key.sign(statement)).toString('base64'), byOld } },
    metadata: {
      actor: { id: 'heatmark', name: 'Heatmark', kind: 'service' },
      occurredAt: stamp.now().toISOString(),
      correlationId: stamp.newId(),
      schemaVersion: 1,
    },
  }
  try {
    await eventStore.append(storeStream, revision, [event])
    return true
  } catch (error) {
    if (isFailure(error, 'wrong-revision')) return false
    throw error
  }
}

async function readKeys(eventStore: Pick<EventStore, 'readStream'>, storeId: string) {
  const keys: AnnouncedKey[] = []
  let revision = noStream
  for await (const event of eventStore.readStream(storeStream, 0)) {
    revision = event.revision
    if (event.type !== keyAnnounced) continue
    const key = openAnnouncement(event as Recorded<KeyAnnounced>, storeId, keys[0])
    if (key) keys.unshift(key)
  }
  return { keys, revision }
}

function openAnnouncement(
  { data: { x, replaces, signatures } }: Recorded<KeyAnnounced>,
  storeId: string,
  before: AnnouncedKey | undefined,
): AnnouncedKey | undefined {
  const statement = statementOf(storeId, x, replaces)
  if (replaces !== (before?.publicKey.toString('base64url') ?? null)) return undefined
  if (!hasSigned(x, statement, signatures.byNew)) return undefined
  const isVouchedFor = replaces === null ? null : hasSigned(replaces, statement, signatures.byOld)
  return { publicKey: Buffer.from(x, 'base64url'), isVouchedFor }
}

function statementOf(storeId: string, x: string, replaces: string | null): string {
  return `heatmark/${storeId}\nsigning key ${x}\n${replaces === null ? 'first' : `replaces ${replaces}`}\n`
}

function hasSigned(x: string, statement: string, signature: string | null): boolean {
  return signature !== null && isSigned(statement, x, Buffer.from(signature, 'base64'))
}

function differs(announced: Buffer, own: Buffer): Refusal {
  return new Refusal(
    'signing-key-differs',
    `This node has the signing key ${thumbprintOf(own)}, but the store names ${thumbprintOf(announced)}, so nothing is signed here. Ask the operator to give every node the same SIGNING_KEY.`,
  )
}
