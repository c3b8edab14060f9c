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

/**
 * Start one PostgreSQL for the whole run, unless DATABASE_URL names one. At the end, search everything that was
 * logged for secrets.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const searchLogs = collectLogs()
  if (process.env.DATABASE_URL) {
    project.provide('postgresUrl', process.env.DATABASE_URL)
    return async () => searchLogs()
  }
  const dataDir = newDataDir()
  const postgres = await startPostgres({ dataDir, log: console.error })
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    removeDataDir(dataDir)
    searchLogs()
  }
}
