import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Make a folder that only this user may look into; leave an existing one as it is.
 * @throws Error of one line that names the folder, when the disk is full, read-only or not permitted
 */
export function makePrivateFolder(folder: string): void {
  sayWhere(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
}

/**
 * Make a folder private, also one that was there and open to others.
 * @throws Error of one line, naming the folder, when it is somebody else's or may not be written to
 */
export function keepFolderPrivate(folder: string): void {
  makePrivateFolder(folder)
  sayWhere(folder, () => chmodSync(folder, 0o700))
}

/**
 * Make a folder that only this user may look into, with a new name that begins with `prefix`.
 * @throws Error of one line that names the parent folder, when that cannot be written to
 */
export function makeDraftFolder(prefix: string): string {
  return sayWhere(dirname(prefix), () => mkdtempSync(prefix))
}

/** Write a JSON file as `writePrivate` does. */
export function writePrivateJson(file: string, content: unknown): void {
  writePrivate(file, `${JSON.stringify(content, null, 2)}\n`)
}

/**
 * Write a file that only this user may read (mode 0600), whole or not at all: sync it under another name, then
 * rename it.
 * @throws Error of one line that names the file, when the disk is full, read-only or not permitted
 */
export function writePrivate(file: string, content: string): void {
  const draft = `${file}.new`
  sayWhere(file, () => {
    const handle = openSync(draft, 'w', 0o600)
    try {
      chmodSync(draft, 0o600)
      writeFileSync(handle, content)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(draft, file)
  })
}

/**
 * Copy a file for this user alone (mode 0600), and wait until the copy is on the disk.
 * @throws Error of one line that names both files, when one cannot be read or the other not written
 */
export function copyPrivate(from: string, to: string): void {
  sayWhere(`${to}, a copy of ${from},`, () => {
    copyFileSync(from, to)
    chmodSync(to, 0o600)
    sync(to)
  })
}

/** Wait until a file, or the list of names in a folder, is on the disk. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Read a JSON file; undefined when it does not exist.
 * @throws Error of one line that names the file, when it cannot be read or is not JSON
 */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof SyntaxError) throw new Error(`${file} is damaged: ${error.message}`)
    throw new Error(`${file} cannot be read: ${diskFault(error)}`)
  }
}

/** Explain a failed file operation in words. */
export function diskFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return (code && faults[code]) || message
}

const faults: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of this path is a file, not a folder',
  EEXIST: 'it is a file, not a folder',
}

function sayWhere<Result>(path: string, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    throw new Error(`${path} cannot be written: ${diskFault(error)}`)
  }
}
