import { resolve } from 'node:path'
import { defaultDataDir } from '../config.ts'
import type { DevFile } from './stack.ts'

/** What `npm start` prints once the service answers: addresses, and a command that works when pasted. */
export const banner = (url: string, dev: DevFile, dataDir: string, milliseconds: number): string => {
  // Another terminal does not know of a data directory that was named for this process.
  const place = dataDir === defaultDataDir ? '' : `HEATMARK_DATA_DIR=${resolve(dataDir)} `
  const tags = `${url}/api/company/${dev.companyId}/millcert-tags`
  const lines = [
    `Heatmark is ready after ${(milliseconds / 1_000).toFixed(1)} s`,
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
