import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { settingNames } from '../../src/config/config.ts'
import { requestHashOf } from '../../src/http/kit/routing/idempotency.ts'
import { entryOf, lineOf } from '../../src/proofs/merkleLog/entry.ts'
import { migrations } from '../../src/stores/localSchema/migrations.ts'
import { storedEvents } from '../golden/golden.ts'
import { document } from '../support/operations.ts'

/** The last release promised its API, and facts that never change. `npm version` freezes both. */

/** Names of things that stay, with a digest of the content that stays too. */
export type Facts = Readonly<Record<string, string>>

const factsFile = join(import.meta.dirname, 'facts.json')
const documentFile = join(import.meta.dirname, 'openapi.json.br')
const packs = join(import.meta.dirname, '../../src/rulePacks/packs')

const digest = (content: unknown) =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)

export function presentFacts(): Facts {
  return Object.fromEntries([
    ...storedEvents().map(({ name, event }) => [
      `event ${name}`,
      digest([event, lineOf(event), entryOf(event)]),
    ]),
    ...migrations.map((migration, index) => [`migration ${index + 1}`, digest(migration)]),
    ...globSync('**/*.json', { cwd: packs })
      .sort()
      .map((file) => [`rule pack ${file}`, digest(JSON.parse(readFileSync(join(packs, file), 'utf8')))]),
    ...settingNames.map((name) => [`setting ${name}`, '']),
    [
      'hash of a request',
      requestHashOf({ url: '/?a=1', query: { a: '1' } } as never, Buffer.from('{"b":[2]}')),
    ],
  ])
}

/** Return a line for each fact that is not there or has another content. */
export function changedFacts(released: Facts, present: Facts): string[] {
  return Object.entries(released)
    .filter(([name, content]) => present[name] !== content)
    .map(([name]) => `${name} ${name in present ? 'has changed' : 'is missing'}`)
}

/** Keep what this checkout promises. */
export function freeze(): void {
  writeFileSync(factsFile, `${JSON.stringify(presentFacts(), null, 2)}\n`)
  writeFileSync(documentFile, brotliCompressSync(JSON.stringify(document)))
}

/** Return what the last release promised. Before the first there is nothing, and before a new major version no API. */
export function findReleased(): { readonly facts?: Facts; readonly document?: object } {
  return {
    ...(existsSync(factsFile) && { facts: JSON.parse(readFileSync(factsFile, 'utf8')) }),
    ...(existsSync(documentFile) && {
      document: JSON.parse(brotliDecompressSync(readFileSync(documentFile)).toString()),
    }),
  }
}

if (import.meta.main) freeze()
