import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, isFailure } from '../lib/failure.ts'
import { draftEnding, type ListedObject, type ObjectStore } from './objects.ts'

/** Objects as files under one folder of this machine, for the embedded stack. */

/** @param folder is created with the first object, for this user alone */
export function openLocalObjects(folder: string): ObjectStore {
  const fileOf = (key: string) => {
    if (!/^[\w-]+(\/[\w-]+)*(\.part)?$/.test(key)) throw new Error(`"${key}" is not the key of an object`)
    return join(folder, key)
  }

  return {
    async put(key, content) {
      const file = fileOf(key)
      const part = draftOf(file)
      await onDisk(() => makeFolder(dirname(file)))
      try {
        await write(part, content)
        await onDisk(() => renameDurably(part, file))
      } catch (error) {
        await rm(part, { force: true }).catch(() => {})
        throw error
      }
    },
    async putNew(key, content) {
      const file = fileOf(key)
      const part = draftOf(file)
      await onDisk(() => makeFolder(dirname(file)))
      try {
        await write(part, [content])
        return await onDisk(() => linkDurably(part, file))
      } finally {
        await rm(part, { force: true }).catch(() => {})
      }
    },
    move: (from, to) =>
      onDisk(async () => {
        await makeFolder(dirname(fileOf(to)))
        await renameDurably(fileOf(from), fileOf(to))
        await sync(dirname(fileOf(from)))
      }),
    async get(key, range) {
      const handle = await orMissing(open(fileOf(key)))
      if (!handle) return undefined
      const { size } = await onDisk(() => handle.stat()).catch(async (error) => {
        await handle.close()
        throw error
      })
      const part = range && { start: range.first, end: range.last }
      return { bytes: size, content: createReadStream('', { fd: handle, ...part }) }
    },
    async head(key) {
      const file = await orMissing(stat(fileOf(key)))
      return file && { bytes: file.size, storedAt: file.mtime }
    },
    async *list(prefix) {
      for await (const object of objectsIn(folder, '')) if (object.key.startsWith(prefix)) yield object
    },
    delete: (key) => onDisk(() => rm(fileOf(key), { force: true })),
    close: () => {},
  }
}

/** Two processes may write one object at the same moment, each its own draft. */
function draftOf(file: string): string {
  return `${file}-${randomUUID()}${draftEnding}`
}

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

async function write(file: string, content: Content): Promise<void> {
  const handle = await onDisk(() => open(file, 'w', 0o600))
  try {
    for await (const bytes of content) await onDisk(() => handle.writeFile(bytes))
    await onDisk(() => handle.sync())
  } finally {
    await handle.close()
  }
}

async function* objectsIn(folder: string, path: string): AsyncIterable<ListedObject> {
  const entries = (await orMissing(readdir(join(folder, path), { withFileTypes: true }))) ?? []
  for (const entry of entries) {
    const key = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) yield* objectsIn(folder, key)
    else {
      // An upload may have ended since the folder was read.
      const file = await orMissing(stat(join(folder, key)))
      if (file) yield { key, bytes: file.size, storedAt: file.mtime }
    }
  }
}

/** Make a folder for this user alone, and those around it. Their names are on the disk when this returns. */
async function makeFolder(folder: string): Promise<void> {
  if (await orMissing(stat(folder))) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sync(dirname(folder))
}

async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await sync(dirname(to))
}

/** Give a file a second name, and return false if there is a file with that name. A link never replaces one. */
async function linkDurably(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  await sync(dirname(to))
  return true
}

/** Wait until a file, or the list of names in a folder, is on the disk. */
async function sync(path: string): Promise<void> {
  const handle: FileHandle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** @throws Failure `objects-full`, `objects-unavailable` */
async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw faultOf(error as NodeJS.ErrnoException)
  }
}

/** Return undefined when there is no such file or folder. @throws Failure `objects-unavailable` */
async function orMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw faultOf(error as NodeJS.ErrnoException)
  }
}

function faultOf(error: NodeJS.ErrnoException): Error {
  if (isFailure(error, 'objects-unavailable')) return error
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT'
  return new Failure(
    isFull ? 'objects-full' : 'objects-unavailable',
    `the folder of documents: ${error.message}`,
    { cause: error },
  )
}
