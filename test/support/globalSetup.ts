import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { newDataDir, removeDataDir } from './dataDir.ts'
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
 * was logged for secrets.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared ??= start()
  const { url, end } = await shared
  project.provide('postgresUrl', url)
  return end
}

async function start() {
  const searchLogs = collectLogs()
  const given = process.env.DATABASE_URL
  const { url, stop } = given ? { url: given, stop: async () => {} } : await startOwn()
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= stop().then(searchLogs)
    return ending
  }
  return { url, end }
}

async function startOwn() {
  const dataDir = newDataDir()
  const { url, stop } = await startPostgres({ dataDir, log: console.error })
  return {
    url,
    async stop() {
      await stop()
      removeDataDir(dataDir)
    },
  }
}
