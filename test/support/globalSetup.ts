import type { TestProject } from 'vitest/node'
import { newDataDir } from './dataDir.ts'
import { hold } from './holder.ts'
import { openRunFolder, removeRunFolder } from './runFolder.ts'
import { collectLogs } from './suiteLog.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's url of the PostgreSQL that this run shares. */
    postgresUrl: string
  }
}

let shared: ReturnType<typeof start> | undefined

/**
 * Start one PostgreSQL for the projects of the run, unless DATABASE_URL names one. At the end, search everything that
 * was logged for secrets, and remove all temporary files.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared ??= start()
  const { url, end } = await shared
  project.provide('postgresUrl', url)
  return end
}

async function start() {
  const folder = openRunFolder()
  const searchLogs = collectLogs()
  const given = process.env.DATABASE_URL
  const { url, stop } = given ? { url: given, stop: async () => {} } : await startOwn()
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= stop().then(() => {
      searchLogs()
      removeRunFolder(folder)
    })
    return ending
  }
  return { url, end }
}

/** PostgreSQL runs below a process of its own, which stops it also when this run is killed. */
async function startOwn() {
  const script = new URL('postgresHolder.ts', import.meta.url).pathname
  const { said, log, end } = await hold(script, [newDataDir()])
  return {
    url: said.url as string,
    async stop() {
      await end('SIGTERM')
      for (const line of log) console.error(line)
    },
  }
}
