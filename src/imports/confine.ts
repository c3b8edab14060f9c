import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A hostile file may find a fault in a library that reads it, and take over the process. Node's permissions then leave
 * that process nothing to take or to harm.
 */

/**
 * Return arguments of Node for a process without network and without other processes, which reads of the disk only this
 * program. The data of the embedded stack is beside the program.
 * @param cache the folder in which Node keeps what it has compiled
 */
export function confinement(cache = process.env.NODE_COMPILE_CACHE): readonly string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  // npm puts what an installed package needs beside it.
  const beside = /^.*?\/node_modules\//.exec(root)
  const parts = [
    ...['src', 'node_modules', 'package.json'].map((part) => join(root, part)),
    ...(beside ?? []),
  ]
  return [
    '--permission',
    '--allow-worker',
    ...[...parts, ...(cache ? [cache] : [])].map((part) => `--allow-fs-read=${part}`),
    ...(cache ? [`--allow-fs-write=${cache}`] : []),
  ]
}

/**
 * Give up the permissions that the process needs only until its programs are loaded. Other processes would run what it
 * wrote afterwards.
 */
export function confine(): void {
  flushCompileCache()
  process.permission.drop('fs.write')
  process.permission.drop('worker')
}
