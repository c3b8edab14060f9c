import { resolve } from 'node:path'
import { defaultDataDir } from '../config/config.ts'
import { nameOf, type Release } from '../lib/release.ts'
import type { DevFile } from './stack.ts'

export interface Start {
  readonly release: Release
  /** Milliseconds from the start of the process until the service answered. */
  readonly took: number
  /** The parts that are not ready yet, by name. */
  readonly notReady: readonly string[]
}

/** The text of `npm start` once the service answers: addresses, and a command that works when pasted. */
export function banner(url: string, dev: DevFile, dataDir: string, start: Start): string {
  // Another terminal does not have this process's HEATMARK_DATA_DIR.
  const place = dataDir === defaultDataDir ? '' : `HEATMARK_DATA_DIR=${resolve(dataDir)} `
  const tags = `${url}/api/company/${dev.companyId}/millcert-tags`
  const lines = [
    headlineOf(url, start),
    '',
    `  API     ${url}`,
    ...(dev.tokenUrl ? [`  Portal  ${url}/portal`] : []),
    `  Docs    ${url}/docs`,
    ...(dev.tokenUrl ? [`  Tokens  ${dev.tokenUrl}`] : []),
    ...peopleOf(dev),
    `  Data    ${dataDir} (clients and secrets in dev.json, log in heatmark.log)`,
    '',
    ...(dev.tokenUrl
      ? [
          'Try, in another terminal here:',
          `  curl -H "Authorization: Bearer $(${place}npx heatmark token editor)" ${tags}`,
          '',
        ]
      : []),
    'Ctrl-C stops everything.',
  ]
  return lines.join('\n')
}

/** Name the people who can log in, and their password. */
function peopleOf({ people }: DevFile): string[] {
  const persons = Object.values(people)
  if (persons.length === 0) return []
  return [
    `  People  ${persons.map(({ userName }) => userName).join(', ')}`,
    `          all with the password ${persons[0]!.password}`,
  ]
}

function headlineOf(url: string, { release, took, notReady }: Start): string {
  const after = `after ${(took / 1_000).toFixed(1)} s`
  if (notReady.length === 0) return `Heatmark ${nameOf(release)} is ready ${after}`
  return `Heatmark ${nameOf(release)} runs ${after}, but is not ready: ${notReady.join(', ')}
${url}/health/ready shows the progress, "npx heatmark doctor" what to do if there is none`
}
