import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

/** The engine knows no read model, and each of its folders only those before it. */

const root = join(import.meta.dirname, '../../src/projections')
const folders = ['schema', 'rows', 'projector', 'reading', 'operations']

/** Files under `root` that a file imports, types included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)]
    .map(([, path]) => relative(root, join(root, dirname(file), path!)))
    .filter((path) => !path.startsWith('..'))

it('has no folder besides these', () => {
  const there = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(there.map(({ name }) => name).sort()).toEqual(folders.toSorted())
})

it.each(folders.entries().toArray())('%d: %s', (index, folder) => {
  const known = folders.slice(0, index + 1)
  const strangers = readdirSync(join(root, folder))
    .flatMap((name) => importsOf(join(folder, name)).map((path) => ({ name, path })))
    .filter(({ path }) => path !== 'projection.ts' && !known.includes(dirname(path)))
  expect(strangers).toEqual([])
})
