import { resolve } from 'node:path'
import { defaultDataDir } from '../config.ts'
import type { DevFile } from './stack.ts'

export interface Start {
  /** Milliseconds. */
  readonly took: number
  /** What keeps it from serving, by name. */
  readonly notReady: readonly string[]
}

const headline = (url: string, { took, notReady }: Start): string => {
  const after = `after ${(took / 1_000).toFixed(1)} s`
  return notReady.length === 0
    ? `Heatmark is ready ${after}`
    : `Heatmark runs ${after}, but is not ready: ${notReady.join(', ')}
${url}/health/ready says how far it is, "npx heatmark doctor" what to do where nothing moves`
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
