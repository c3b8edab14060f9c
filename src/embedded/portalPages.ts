import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Build the pages of the portal, unless they are built already or came with the package. The builder runs in a process
 * of its own, so that the service keeps none of its memory.
 * @throws Error when the pages cannot be built
 */
export async function buildPortalPages(signal: AbortSignal): Promise<void> {
  const builder = join(import.meta.dirname, '../portalBuild/build.ts')
  // A package has the pages, and nothing that builds them.
  if (!existsSync(builder)) return
  await promisify(execFile)(process.execPath, [builder], { signal })
}
