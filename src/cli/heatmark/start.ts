import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Let the service take the place of this process, so that signals reach it. This does not return. */
export function start({ embedded = false }: { embedded?: boolean }): void {
  const { execPath, env } = process
  // More room for short-lived objects: fewer collections at many commands a second, for about 50 MiB.
  process.execve!(
    execPath,
    [execPath, '--max-semi-space-size=32', main, ...(embedded ? ['--embedded'] : [])],
    env,
  )
}
