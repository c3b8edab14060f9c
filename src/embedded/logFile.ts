import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs'

/** A log that never fails: a line that cannot be written is lost, and the service goes on. */
interface LogFile {
  write(line: string): void
}

interface LogFileOptions {
  /** In bytes. A file of this size is kept as `FILE.1`, and a new one begun. */
  readonly rotateAt?: number
  /** The number of earlier files, `FILE.1` being the last. */
  readonly keep?: number
}

/** Write to a file that this user alone may read, and bound its size. */
export function openLogFile(file: string, { rotateAt = 16_777_216, keep = 5 }: LogFileOptions = {}): LogFile {
  let open: { readonly handle: number; size: number } | undefined
  /** The last line was written in part, because the disk was full. */
  let isCut = false

  const begin = () => {
    const handle = openSync(file, 'a', 0o600)
    return { handle, size: statSync(file).size }
  }

  const rotate = () => {
    if (open) closeSync(open.handle)
    open = undefined
    for (let n = keep; n > 1; n -= 1) renameIfThere(`${file}.${n - 1}`, `${file}.${n}`)
    renameIfThere(file, `${file}.1`)
  }

  const append = (line: string) => {
    open ??= begin()
    if (open.size >= rotateAt) rotate()
    open ??= begin()
    const bytes = Buffer.from(isCut ? `\n${line}` : line)
    const written = writeSync(open.handle, bytes)
    open.size += written
    isCut = written < bytes.length
  }

  return {
    write(line) {
      try {
        append(line)
      } catch {
        // There is no other place to report it.
      }
    },
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
