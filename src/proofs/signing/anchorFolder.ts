import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countText } from '../../lib/countText.ts'
import { Failure } from '../../lib/failure.ts'
import type { AnchorPlace } from './anchors.ts'
import type { Keys } from './announcedKeys.ts'
import { isSameCheckpoint } from './checkpoint.ts'

/**
 * Put checkpoints into a folder, such as a mounted disk that only grows: `COMPANY/000000012408`, one file for each,
 * named by the number of events. A file never changes.
 */
export function anchorFolder(folder: string, keys: Pick<Keys, 'list'>): AnchorPlace {
  const fileOf = (companyId: string, size: number) => join(folder, companyId, String(size).padStart(12, '0'))
  const knownKeys = async () => (await keys.list()).map(({ publicKey }) => publicKey)
  return {
    kind: 'folder',
    everyMs: 3_600_000,
    async check(taken) {
      if (taken.length === 0) return
      for (const { companyId, size } of taken) if (await isThere(fileOf(companyId, size))) return
      // Without its disk, the folder is empty, and a checkpoint in it would protect nothing.
      throw new Error(
        'ANCHOR_FOLDER lacks the checkpoints that were put there before, so nothing is anchored: mount its disk, or copy the old files to the new folder',
      )
    },
    async put({ companyId, size, note, before }) {
      if (before) await requireFile(fileOf(companyId, before.size), before.note)
      const file = fileOf(companyId, size)
      const stored = await writeOnce(file, join(folder, companyId), note).catch(({ message }: Error) => {
        throw new Failure('company-not-anchored', `no checkpoint can be written to ANCHOR_FOLDER: ${message}`)
      })
      // A process that stopped before it could note the file may have signed the same head with an earlier key.
      if (stored !== note && !isSameCheckpoint(stored, note, await knownKeys()))
        throw new Failure(
          'company-not-anchored',
          `history-diverged: ${file} holds another checkpoint of ${countText(size, 'event')} than the one that was signed now`,
        )
      return { note: stored, proof: null }
    },
  }
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

/** A checkpoint whose file was lost or changed protects nothing any more, which people must see. */
async function requireFile(file: string, note: string): Promise<void> {
  const stored = await readFile(file, 'utf8').catch(({ message }: Error) => {
    throw new Failure(
      'company-not-anchored',
      `the checkpoint that was put into ANCHOR_FOLDER before cannot be read: copy its file back (${message})`,
    )
  })
  if (stored !== note)
    throw new Failure(
      'company-not-anchored',
      `${file} no longer holds the checkpoint that was put there: find out who changed it, and copy the right file back`,
    )
}

/**
 * Write the file as a whole, unless it is there already, and return its content. Create the folder of the company, but
 * not ANCHOR_FOLDER.
 */
async function writeOnce(file: string, folder: string, content: string): Promise<string> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const whole = join(folder, `.${randomUUID()}`)
  try {
    await writeFile(whole, content, { mode: 0o444, flush: true })
    await link(whole, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(whole, { force: true })
  }
  return readFile(file, 'utf8')
}
