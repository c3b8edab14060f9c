import { LRUCache } from 'lru-cache'
import type { Author, Persons } from '../commands/executor/persons.ts'
import { Refusal } from '../domain/kernel/refusal.ts'
import { atMost } from '../lib/atMost.ts'
import { findErasure, findKnownName, type KnownName, persons } from '../projections/company/persons.ts'
import {
  createLookUp,
  type LookUp,
  type LookUpQuery,
  type LookUpTables,
} from '../projections/engine/reading/lookUp.ts'
import { createReadCache } from '../projections/engine/reading/readCache.ts'
import type { Positions } from '../projections/engine/reading/waitFor.ts'
import type { ReadModels } from '../projections/engine/schema/readModels.ts'
import { type Connection, type Postgres, PostgresUnavailable } from '../stores/postgres/postgres.ts'
import { nameHashOf, newSalt } from './nameHash.ts'

interface PersonsOptions {
  readonly postgres: Pick<Postgres, 'query' | 'transaction'>
  readonly readModels: ReadModels
  readonly positions: Pick<Positions, 'positionOf' | 'onChange' | 'lastHeardAt' | 'waitFor'>
  /** The clock of `positions`. */
  readonly clock: () => number
}

/** The caches hold this many hashes and names. */
const maxHashes = 50_000
/** Another node may have kept a newer name: look again, or keep this one again, after this time. */
const newestNameForMs = 600_000

/**
 * Keep the names of persons in PostgreSQL. A hash is cached until this node hears of an erasure or an admission in the
 * company, or of another name of the person. A hash that is used a moment longer does no harm, because its name is gone.
 */
export function createPersons({ postgres, readModels, positions, clock }: PersonsOptions): Persons {
  const lookUp = createLookUp(postgres, readModels, persons)
  const cache = createReadCache<string | undefined>({
    positions,
    clock,
    maxSize: maxHashes,
    // A missing hash is never cached: the next command after an admission must not miss it.
    sizeOf: (hash) => (hash === undefined ? maxHashes + 1 : 1),
  })
  const useOf = createUses()
  return {
    async hashOf(companyId, person) {
      const { id, name } = person
      const use = name === '' ? null : useOf(companyId, id, name)
      const period = Math.floor(clock() / newestNameForMs)
      const subject = { companyId, name: JSON.stringify([id, name, use, period]), reads: [persons] }
      const read = async () => ({ value: await findHash(lookUp, companyId, person), position: 0 })
      try {
        return (await cache.get(subject, read)).value
      } catch (error) {
        throw error instanceof PostgresUnavailable ? unreachable() : error
      }
    },

    async forget(companyId, userId, position) {
      try {
        if (!(await positions.waitFor([persons], position, forgetWithinMs))) throw pendingRefusal()
        const [erasure] = await lookUp<{ eventId: string }>((tables) =>
          findErasure(tables, companyId, userId),
        )
        const erased = [readModels.storeId, companyId, userId, erasure!.eventId]
        await postgres.transaction((connection) => deleteNames(connection, erased))
      } catch (error) {
        throw error instanceof PostgresUnavailable ? pendingRefusal() : error
      }
    },
  }
}

/**
 * Number the uses of names on this node. A use goes on until the person gives a command by another name, so a name
 * that a person returns to is kept again, and is the newest.
 */
function createUses(): (companyId: string, userId: string, name: string) => number {
  const last = new LRUCache<string, { readonly name: string; readonly use: number }>(atMost(maxHashes))
  let uses = 0
  return (companyId, userId, name) => {
    const person = JSON.stringify([companyId, userId])
    const usedBefore = last.get(person)
    if (usedBefore?.name === name) return usedBefore.use
    uses += 1
    last.set(person, { name, use: uses })
    return uses
  }
}

/** The longest time that an erasure waits for the read models. */
const forgetWithinMs = 10_000

/** Names that were written after the erasure, because the person was admitted again, stay. */
async function deleteNames(connection: Connection, erased: readonly unknown[]): Promise<void> {
  // This waits for statements that write names and began before they could see the erasure.
  await connection.query('LOCK TABLE heatmark_local.person IN SHARE ROW EXCLUSIVE MODE')
  await connection.query(
    `DELETE FROM heatmark_local.person
     WHERE store_id = $1 AND company_id = $2 AND user_id = $3 AND erasure_id IS DISTINCT FROM $4`,
    erased,
  )
}

async function findHash(
  lookUp: LookUp,
  companyId: string,
  { id, name }: Author,
): Promise<string | undefined> {
  if (name === '') {
    const [person] = await lookUp<KnownName>((tables) => findKnownName(tables, id, [companyId]))
    return person!.nameHash ?? undefined
  }
  const [row] = await lookUp<{ nameHash: string }>((tables) => keepName(tables, companyId, id, name))
  return row?.nameHash
}

/**
 * Keep the name unless the person is erased. A name that is kept already stays under its hash and becomes the name of
 * today, but one that a backup has brought back, from before an erasure, gets another hash.
 */
function keepName(tables: LookUpTables, companyId: string, userId: string, name: string): LookUpQuery {
  const salt = newSalt()
  const erasure = `SELECT event_id, readmitted_at FROM ${tables.table(persons, 'erasure')}
                   WHERE company_id = $2 AND user_id = $3`
  const counts = 'EXCLUDED.erasure_id IS NULL OR known.erasure_id = EXCLUDED.erasure_id'
  const keep = (column: string) => `CASE WHEN ${counts} THEN known.${column} ELSE EXCLUDED.${column} END`
  return {
    before: `erasure AS (${erasure}),
      kept AS (
        INSERT INTO heatmark_local.person AS known (store_id, company_id, user_id, name, salt, name_hash, erasure_id)
        SELECT $1, $2, $3, $4, $5, $6, (SELECT event_id FROM erasure)
        WHERE ${tables.areCurrent} AND NOT EXISTS (SELECT FROM erasure WHERE readmitted_at IS NULL)
        ON CONFLICT (store_id, company_id, user_id, name) DO UPDATE
        SET recorded_at = now(), salt = ${keep('salt')}, name_hash = ${keep('name_hash')},
            erasure_id = ${keep('erasure_id')}
        RETURNING name_hash)`,
    text: 'SELECT name_hash AS "nameHash" FROM kept',
    values: [tables.storeId, companyId, userId, name, salt, nameHashOf(salt, name)],
  }
}

function pendingRefusal(): Refusal {
  return new Refusal(
    'erasure-pending',
    'The erasure is recorded, but the read models do not show it yet, so the name is not deleted. Repeat the request until it succeeds.',
  )
}

function unreachable(): Refusal {
  return new Refusal(
    'database-unavailable',
    'PostgreSQL, which keeps the names of persons, cannot be reached, so this request recorded nothing. Try again later.',
  )
}
