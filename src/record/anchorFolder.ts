import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AnchorPlace, ContradictingAnchor } from './anchors.ts'

/**
 * Put checkpoints into a folder, such as a mounted disk that only grows: `COMPANY/000000012408`, one file for each,
 * named by the number of events. A file never changes.
 */
export function anchorFolder(folder: string): AnchorPlace {
  const fileOf = (companyId: string, size: number) => join(folder, companyId, String(size).padStart(12, '0'))
  return {
    kind: 'folder',
    everyMs: 3_600_000,
    async put({ companyId, size, note, before }) {
      if (before !== null) await requireFile(fileOf(companyId, before))
      const file = fileOf(companyId, size)
      await writeOnce(file, join(folder, companyId), note).catch((error: NodeJS.ErrnoException) => {
        throw new Error(`no checkpoint can be written to ANCHOR_FOLDER: ${error.message}`)
      })
      if ((await readFile(file, 'utf8')) !== note)
        throw new ContradictingAnchor(
          `history-diverged: ${file} holds another checkpoint of ${size} events than the one that was signed now`,
        )
      return null
    },
  }
}

/** Without its disk, the folder is empty, and a checkpoint in it would protect nothing. */
async function requireFile(file: string): Promise<void> {
  await stat(file).catch(({ message }: Error) => {
    throw new Error(
      `ANCHOR_FOLDER lacks the checkpoint that was put there before, so nothing is anchored: mount its disk, or copy the old files to the new folder (${message})`,
    )
  })
}

/** Write the file as a whole, unless it is there already. Create the folder of the company, but not ANCHOR_FOLDER. */
async function writeOnce(file: string, folder: string, content: string): Promise<void> {
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
}
