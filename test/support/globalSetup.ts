import type { TestProject } from 'vitest/node'
import { newDataDir } from './dataDir.ts'
import { hold } from './holder.ts'
import { serveOnDemand } from './onDemand.ts'
import { openRunFolder, removeRunFolder } from './runFolder.ts'
import { sharedChromium } from './sharedChromium.ts'
import { sharedStack } from './sharedStack.ts'
import { collectLogs } from './suiteLog.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's url of the PostgreSQL that this run shares. */
    postgresUrl: string
    /** Where storesHolder.ts takes requests. */
    storesUrl: string
    /** Where `demand.ts` asks for the Chromium and the stack of the journeys. */
    onDemandUrl: string
  }
}

let shared: ReturnType<typeof start> | undefined

/**
 * Start one PostgreSQL for the projects of the run, unless DATABASE_URL names one, and the process that holds their
 * event stores. Journeys get a Chromium and a stack when they ask. At the end, search everything that was logged for secrets, and remove all temporary files.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared ??= start()
  const { postgresUrl, storesUrl, onDemandUrl, end } = await shared
  project.provide('postgresUrl', postgresUrl)
  project.provide('storesUrl', storesUrl)
  project.provide('onDemandUrl', onDemandUrl)
  return end
}

async function start() {
  const folder = openRunFolder()
  const searchLogs = collectLogs()
  const given = process.env.DATABASE_URL
  const [postgres, stores, onDemand] = await Promise.all([
    given ? { url: given, stop: async () => {} } : startPostgres(),
    holdIn('storesHolder.ts'),
    serveOnDemand({ chromium: sharedChromium(), stack: sharedStack() }),
  ])
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= Promise.all([postgres.stop(), stores.stop(), onDemand.stop()]).then(() => {
      searchLogs()
      removeRunFolder(folder)
    })
    return ending
  }
  return { postgresUrl: postgres.url, storesUrl: stores.url, onDemandUrl: onDemand.url, end }
}

/** PostgreSQL runs below a process of its own, which stops it also when this run is killed. */
function startPostgres() {
  return holdIn('postgresHolder.ts', newDataDir())
}

/** Start a script beside this file in a process of its own, which reports its `url`. */
async function holdIn(name: string, ...args: string[]) {
  const { said, log, end } = await hold(new URL(name, import.meta.url).pathname, args)
  return {
    url: said.url as string,
    async stop() {
      await end('SIGTERM')
      for (const line of log) console.error(line)
    },
  }
}
