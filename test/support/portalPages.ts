import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const builder = new URL('../../src/portalBuild/build.ts', import.meta.url).pathname
let built: Promise<unknown> | undefined

/** Build the pages of the portal before the run: services that start at the same time would each build them. */
export default async function setup(): Promise<void> {
  built ??= promisify(execFile)(process.execPath, [builder])
  await built
}
