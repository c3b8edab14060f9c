import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

/** Where a path leads, whatever links are on it; its last parts need not be there yet. */
const realPath = (path: string): string => {
  const whole = resolve(path)
  return existsSync(whole) ? realpathSync(whole) : join(realPath(dirname(whole)), basename(whole))
}

/** Whether a path is a folder, or in it, whatever links lead there. */
export const isInside = (path: string, folder: string): boolean => {
  const real = realPath(folder)
  return `${realPath(path)}${sep}`.startsWith(real.endsWith(sep) ? real : `${real}${sep}`)
}
