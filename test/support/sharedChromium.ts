import type { BrowserServer } from 'playwright-core'
import type { OnDemand } from './onDemand.ts'

/** The Chromium of the run, for the journeys of all files. When it crashes, the run fails. */
export function sharedChromium(): OnDemand {
  let server: Promise<BrowserServer> | undefined
  let end: string | undefined
  const start = async () => {
    // Few runs need this large module.
    const { serveChromium } = await import('./chromium.ts')
    const started = await serveChromium()
    started.process().once('exit', (code, signal) => {
      end = `Chromium has ended during the run, by ${signal ?? `exit code ${code}`}`
    })
    return started
  }
  return {
    async ask() {
      server ??= start()
      const url = (await server).wsEndpoint()
      if (end) throw new Error(end)
      return { url }
    },
    async stop() {
      const crashed = end
      await (await server)?.close()
      if (!crashed) return
      // An error thrown here is shown, but the run would still count as passed.
      process.exitCode = 1
      throw new Error(crashed)
    },
  }
}
