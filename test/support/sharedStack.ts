import { newDataDir } from './dataDir.ts'
import type { OnDemand } from './onDemand.ts'
import { type DevFile, type EmbeddedService, startEmbedded } from './serviceProcess.ts'

export interface SharedStack {
  readonly dataDir: string
  readonly url: string
  readonly dev: DevFile
}

/** The stack of `npm start`, which the journeys of all files share. */
export function sharedStack(): OnDemand {
  let service: Promise<EmbeddedService> | undefined
  return {
    async ask(): Promise<SharedStack> {
      service ??= startEmbedded(newDataDir())
      const { dataDir, url, dev } = await service
      return { dataDir, url, dev }
    },
    async stop() {
      await (await service)?.end()
    },
  }
}
