import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }

/** Which release this is. */
export interface Release {
  /** By semantic versioning. */
  readonly version: string
  /** The first 12 digits of the commit that it was made from; null where nobody has noted it. */
  readonly commit: string | null
}

const root = join(import.meta.dirname, '../..')
/** A package or an image has no history, so the build notes the commit here. */
const notedCommit = join(root, 'dist/commit')

let found: Release | undefined

/** Find out which release this is. The first call starts Git in a checkout. */
export function findRelease(): Release {
  found ??= { version: packageJson.version, commit: findCommit()?.slice(0, 12) || null }
  return found
}

function findCommit(): string | undefined {
  if (existsSync(join(root, '.git'))) return commitOfCheckout()
  return existsSync(notedCommit) ? readFileSync(notedCommit, 'utf8').trim() : undefined
}

function commitOfCheckout(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    // Git is not installed, or does not trust the owner of the folder.
    return undefined
  }
}

/** Such as `1.0.0 (28183cc0b7f5)`. */
export function nameOf({ version, commit }: Release): string {
  return commit ? `${version} (${commit})` : version
}
