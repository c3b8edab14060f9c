import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { findRelease } from '../lib/release.ts'

/**
 * `npm pack` runs this program before it packs, and again with `--clean` afterwards. It builds the pages of the portal,
 * notes the commit, and writes JavaScript beside each source of the service.
 */

const root = join(import.meta.dirname, '../..')
/** The service contains the pages as they are built, and not what builds them. */
const buildOnly = /^src\/(portal\/|packageBuild\/|portalBuild\/(?!paths\.ts))/

/** Return the sources that become JavaScript, by their place below the root. */
function listSources(): string[] {
  return ['src', 'packages/client/src', 'examples/verify']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !buildOnly.test(file))
}

const programOf = (source: string) => join(root, source.replace(/\.ts$/, '.js'))

/** Take the types away, and name the files beside this one as they are named in the package. */
function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source).replace(/(['"`])(\.{1,2}\/[^'"`\n]*)\.ts\1/g, '$1$2.js$1')
}

function build(): void {
  execFileSync(process.execPath, [join(root, 'src/portalBuild/build.ts')], { stdio: 'inherit' })
  writeFileSync(join(root, 'dist/commit'), findRelease().commit ?? '')
  for (const file of listSources())
    writeFileSync(programOf(file), toJavaScript(readFileSync(join(root, file), 'utf8')))
}

function clean(): void {
  for (const file of listSources()) rmSync(programOf(file), { force: true })
}

if (process.argv.includes('--clean')) clean()
else build()
