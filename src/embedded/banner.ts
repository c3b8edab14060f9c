import { resolve } from 'node:path'
import { defaultDataDir } from '../config.ts'
import type { DevFile } from './stack.ts'

export interface Start {
  /** Milliseconds. */
  readonly took: number
  /** How far the read models are, when they do not show everything yet. */
  readonly building: { readonly position: number; readonly head: number } | undefined
}

const headline = (url: string, { took, building }: Start): string => {
  const after = `after ${(took / 1_000).toFixed(1)} s`
  if (!building) return `Heatmark is ready ${after}`
  const { position, head } = building
  return `Heatmark runs ${after}, and is still building its read models (at position ${position} of ${head}):
until ${url}/health/ready is 200, answers lack what is not built yet`
}

/** What `npm start` prints once the service answers: addresses, and a command that works when pasted. */
export const banner = (url: string, dev: DevFile, dataDir: string, start: Start): string => {
  // Another terminal does not know of a data directory that was named for this process.
  const place = dataDir === defaultDataDir ? '' : `HEATMARK_DATA_DIR=${resolve(dataDir)} `
  const tags = `${url}/api/company/${dev.companyId}/millcert-tags`
  const lines = [
    headline(url, start),
    '',
    `  API     ${url}`,
    `  Docs    ${url}/docs`,
    ...(dev.tokenUrl ? [`  Tokens  ${dev.tokenUrl}`] : []),
    `  Data    ${dataDir} (clients and secrets in dev.json, log in heatmark.log)`,
    '',
    ...(dev.tokenUrl
      ? [
          'Try, in another terminal here:',
          `  curl -H "Authorization: Bearer $(${place}npm run -s token -- editor)" ${tags}`,
          '',
        ]
      : []),
    'Ctrl-C stops everything.',
  ]
  return lines.join('\n')
}
