import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anchorFolder } from '../../../src/proofs/signing/anchorFolder.ts'
import { type AnchorPlace, anchorDue, keepAnchor, listAnchors } from '../../../src/proofs/signing/anchors.ts'
import { originOf } from '../../../src/proofs/signing/checkpoint.ts'
import type { LocalSigningKey } from '../../../src/proofs/signing/signingKey.ts'
import { migrateLocal } from '../../../src/stores/localSchema/migrate.ts'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'
import { own } from '../../support/own.ts'
import { createDatabase } from '../../support/postgres.ts'
import { checkpointNote, newKey } from './histories.ts'

/** Checkpoints are brought to other places, and the database says how far. */

let folder: string
let storeId: string
const postgres = await own(connectPostgres({ url: (await createDatabase()).url, name: 'spec', size: 1 }))
beforeAll(async () => {
  await migrateLocal(postgres)
})
beforeEach(() => {
  storeId = randomUUID()
  folder = mkdtempSync(join(tmpdir(), 'heatmark-anchors-'))
  return () => rmSync(folder, { recursive: true })
})

const [present, earlier] = [newKey(), newKey()]
const announced = [present, earlier].map(({ publicKey }) => ({ publicKey, isVouchedFor: true }))
const inFolder = (at = folder) => anchorFolder(at, { list: async () => announced })
const noteBy = (key: LocalSigningKey, companyId: string, size: number) =>
  checkpointNote(originOf(storeId, companyId), { size, root: Buffer.alloc(32, size) }, key)
const never = new AbortController().signal
const due = (place: AnchorPlace, over = never) => anchorDue({ postgres, storeId }, place, over)
const anchorsOf = async (companyId: string) =>
  (await listAnchors({ postgres, storeId })).get(companyId)?.map(({ kind, size }) => [kind, size])
/** Set the last checkpoint of a company. */
const signed = (companyId: string, size: number, note = `checkpoint of ${size}\n`) =>
  postgres.query(
    `INSERT INTO heatmark_local.log_checkpoint (store_id, company_id, size, root, note, subtrees, position)
     VALUES ($1, $2, $3, '', $4, '[]', 0)
     ON CONFLICT (store_id, company_id) DO UPDATE SET size = EXCLUDED.size, note = EXCLUDED.note`,
    [storeId, companyId, size, note],
  )
const hourLater = () =>
  postgres.query(
    `UPDATE heatmark_local.log_anchor SET anchored_at = anchored_at - interval '1 hour' WHERE store_id = $1`,
    [storeId],
  )

describe('a folder', () => {
  it('gets the last checkpoint of each company, once an hour, if there are new events', async () => {
    const [a, b, empty] = [randomUUID(), randomUUID(), randomUUID()]
    await signed(a, 7)
    await signed(b, 3)
    await signed(empty, 0)
    await due(inFolder())
    expect(readdirSync(folder).toSorted()).toEqual([a, b].toSorted())
    const file = join(folder, a, '000000000007')
    expect(readFileSync(file, 'utf8')).toBe('checkpoint of 7\n')
    expect(statSync(file).mode & 0o777).toBe(0o444)
    expect(await anchorsOf(a)).toEqual([['folder', 7]])

    await signed(a, 9)
    await due(inFolder())
    expect(readdirSync(join(folder, a))).toEqual(['000000000007'])
    await hourLater()
    await due(inFolder())
    expect(readdirSync(join(folder, a))).toEqual(['000000000007', '000000000009'])
    expect(readdirSync(join(folder, b))).toEqual(['000000000003'])
    expect(await anchorsOf(a)).toEqual([['folder', 9]])
  })

  it('that holds another checkpoint of the same size shows that the history has changed', async () => {
    const companyId = randomUUID()
    await signed(companyId, 7)
    await due(inFolder())
    await postgres.query('DELETE FROM heatmark_local.log_anchor WHERE store_id = $1', [storeId])
    await due(inFolder())
    const file = join(folder, companyId, '000000000007')
    chmodSync(file, 0o644)
    writeFileSync(file, 'another checkpoint of 7\n')
    await postgres.query('DELETE FROM heatmark_local.log_anchor WHERE store_id = $1', [storeId])
    await expect(due(inFolder())).rejects.toThrow(
      `history-diverged: ${file} holds another checkpoint of 7 events`,
    )
    expect(readFileSync(file, 'utf8')).toBe('another checkpoint of 7\n')
    expect(await anchorsOf(companyId)).toBeUndefined()
  })

  it('that has the checkpoint already, signed by an earlier key, keeps it, and it counts as anchored', async () => {
    const companyId = randomUUID()
    await signed(companyId, 7, noteBy(earlier, companyId, 7))
    await due(inFolder())
    // The process stops before it can note the file, and then the key is replaced.
    await postgres.query('DELETE FROM heatmark_local.log_anchor WHERE store_id = $1', [storeId])
    await signed(companyId, 7, noteBy(present, companyId, 7))
    await due(inFolder())
    const file = join(folder, companyId, '000000000007')
    expect(readFileSync(file, 'utf8')).toBe(noteBy(earlier, companyId, 7))
    expect(await anchorsOf(companyId)).toEqual([['folder', 7]])
    await signed(companyId, 9, noteBy(present, companyId, 9))
    await hourLater()
    await due(inFolder())
    expect(await anchorsOf(companyId)).toEqual([['folder', 9]])
  })

  it('that has the checkpoint already, but not signed by a key of the store, does not count', async () => {
    const companyId = randomUUID()
    const note = noteBy(present, companyId, 7)
    await signed(companyId, 7, note)
    mkdirSync(join(folder, companyId))
    const file = join(folder, companyId, '000000000007')
    for (const forged of [noteBy(newKey(), companyId, 7), note.slice(0, note.indexOf('—'))]) {
      writeFileSync(file, forged)
      await expect(due(inFolder())).rejects.toThrow('history-diverged')
      expect(await anchorsOf(companyId)).toBeUndefined()
    }
  })

  it('that contradicts one company takes the checkpoints of the others', async () => {
    const [first, second] = [randomUUID(), randomUUID()].toSorted()
    await signed(first!, 7)
    await due(inFolder())
    const file = join(folder, first!, '000000000007')
    chmodSync(file, 0o644)
    writeFileSync(file, 'another checkpoint of 7\n')
    await postgres.query('DELETE FROM heatmark_local.log_anchor WHERE store_id = $1', [storeId])
    await signed(second!, 3)
    await expect(due(inFolder())).rejects.toThrow('history-diverged')
    expect([await anchorsOf(first!), await anchorsOf(second!)]).toEqual([undefined, [['folder', 3]]])
  })

  it('that has lost or changed the files of some companies takes those of the others, and names each', async () => {
    const companies = Array.from({ length: 9 }, randomUUID).toSorted()
    const [lost, changed] = companies as [string, string]
    for (const companyId of companies.slice(0, 8)) await signed(companyId, 7)
    await due(inFolder())
    for (const companyId of companies) await signed(companyId, 9)
    await hourLater()
    const fileOf = (companyId: string) => join(folder, companyId, '000000000007')
    rmSync(fileOf(lost))
    chmodSync(fileOf(changed), 0o644)
    writeFileSync(fileOf(changed), 'checkpoint of 6\n')
    await expect(due(inFolder())).rejects.toThrow(
      new RegExp(
        `cannot be read: copy its file back .* \\(company ${lost}\\); not anchored either: ${changed}$`,
      ),
    )
    const sizes = await Promise.all(companies.map(async (id) => (await anchorsOf(id))![0]![1]))
    expect(sizes).toEqual([7, 7, 9, 9, 9, 9, 9, 9, 9])

    writeFileSync(fileOf(lost), 'checkpoint of 7\n')
    await expect(due(inFolder())).rejects.toThrow(
      `${fileOf(changed)} no longer holds the checkpoint that was put there`,
    )
    writeFileSync(fileOf(changed), 'checkpoint of 7\n')
    await due(inFolder())
    expect(await anchorsOf(changed)).toEqual([['folder', 9]])
  })

  it('that takes no files names five companies, and counts the others', async () => {
    const companies = Array.from({ length: 8 }, randomUUID).toSorted()
    for (const companyId of companies) {
      await signed(companyId, 7)
      writeFileSync(join(folder, companyId), 'a file in place of a folder')
    }
    await expect(due(inFolder())).rejects.toThrow(
      new RegExp(
        `\\(company ${companies[0]}\\); not anchored either: ${companies.slice(1, 6).join(', ')} and 2 more$`,
      ),
    )
  })

  it('whose disk is not mounted takes nothing, until the disk is back', async () => {
    const companyId = randomUUID()
    await signed(companyId, 7)
    await due(inFolder())
    const disk = `${folder}-disk`
    renameSync(folder, disk)
    mkdirSync(folder)
    await signed(companyId, 9)
    await signed(randomUUID(), 3)
    await hourLater()
    await expect(due(inFolder())).rejects.toThrow(
      'ANCHOR_FOLDER lacks the checkpoints that were put there before, so nothing is anchored',
    )
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
    await expect(due(inFolder())).rejects.toThrow('ANCHOR_FOLDER lacks')
    await expect(due(inFolder(`${folder}-never`))).rejects.toThrow('ANCHOR_FOLDER lacks')
    renameSync(disk, folder)
    await due(inFolder())
    expect(await anchorsOf(companyId)).toEqual([['folder', 9]])
  })

  it('that does not exist is not made', async () => {
    await signed(randomUUID(), 7)
    const missing = join(folder, 'missing')
    await expect(due(inFolder(missing))).rejects.toThrow(
      'no checkpoint can be written to ANCHOR_FOLDER: ENOENT',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('that cannot be written to is named, and leaves nothing anchored', async () => {
    const companyId = randomUUID()
    await signed(companyId, 7)
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await expect(due(inFolder(file))).rejects.toThrow('no checkpoint can be written to ANCHOR_FOLDER')
    expect(await anchorsOf(companyId)).toBeUndefined()
  })

  it('gets nothing after the signer has lost its lease', async () => {
    await signed(randomUUID(), 7)
    await due(inFolder(), AbortSignal.abort())
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a timestamp authority', () => {
  it('that gives no timestamp is not asked for those of the other companies', async () => {
    for (const companyId of [randomUUID(), randomUUID()]) await signed(companyId, 7)
    let asked = 0
    const put = async () => {
      asked += 1
      throw new Error('TIMESTAMP_URL gave no timestamp')
    }
    await expect(due({ kind: 'timestamp', everyMs: 0, put })).rejects.toThrow('TIMESTAMP_URL gave no')
    expect(asked).toBe(1)
  })

  it('gets the last checkpoint once a day, and its token is kept', async () => {
    const companyId = randomUUID()
    const place: AnchorPlace = {
      kind: 'timestamp',
      everyMs: 86_400_000,
      put: async ({ note }) => ({ note, proof: Buffer.from(`token of ${note}`) }),
    }
    await signed(companyId, 7)
    await due(place)
    await signed(companyId, 9)
    await hourLater()
    await due(place)
    const kept = await postgres.query(
      'SELECT size, proof FROM heatmark_local.log_anchor WHERE store_id = $1 AND kind = $2',
      [storeId, 'timestamp'],
    )
    expect(kept).toEqual([{ size: 7, proof: Buffer.from('token of checkpoint of 7\n').toString('base64') }])
  })
})

describe('the anchors of a company', () => {
  it('are the newest of each kind, the one that covers most first', async () => {
    const companyId = randomUUID()
    const keep = (kind: 'export' | 'folder', size: number) =>
      keepAnchor({ postgres, storeId }, kind, { companyId, size, note: '' })
    await keep('export', 5)
    await keep('folder', 8)
    await keep('export', 4)
    expect(await anchorsOf(companyId)).toEqual([
      ['folder', 8],
      ['export', 5],
    ])
    await keep('export', 9)
    expect(await anchorsOf(companyId)).toEqual([
      ['export', 9],
      ['folder', 8],
    ])
    const newest = (await listAnchors({ postgres, storeId }, companyId)).get(companyId)![0]!
    expect(newest.anchoredAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
    expect((await listAnchors({ postgres, storeId }, randomUUID())).size).toBe(0)
  })
})
