import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnchorPlace } from './anchors.ts'

/**
 * Put checkpoints into a folder, such as a mounted disk that only grows: `COMPANY/000000012408`, one file for each,
 * named by the number of events. A file never changes.
 */
export function anchorFolder(folder: string): AnchorPlace {
  return {
    kind: 'folder',
    everyMs: 3_600_000,
    async put({ companyId, size, note }) {
      const file = join(folder, companyId, String(size).padStart(12, '0'))
      await writeOnce(file, join(folder, companyId), note).catch((error: NodeJS.ErrnoException) => {
        throw new Error(`no checkpoint can be written to ANCHOR_FOLDER: ${error.message}`)
      })
      if ((await readFile(file, 'utf8')) !== note)
        throw new Error(
          `history-diverged: ${file} holds another checkpoint of ${size} events than the one that was signed now`,
        )
      return null
    },
  }
}

/** Write the file as a whole, unless it is there already. */
async function writeOnce(file: string, folder: string, content: string): Promise<void> {
  await mkdir(folder, { recursive: true })
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
