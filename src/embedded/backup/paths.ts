import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

/** Whether a path is a folder or lies in it, after all links are followed. */
export function isInside(path: string, folder: string): boolean {
  const real = realPath(folder)
  return `${realPath(path)}${sep}`.startsWith(real.endsWith(sep) ? real : `${real}${sep}`)
}

/** The path with its links followed; its last parts need not exist. */
function realPath(path: string): string {
  const whole = resolve(path)
  return existsSync(whole) ? realpathSync(whole) : join(realPath(dirname(whole)), basename(whole))
}
