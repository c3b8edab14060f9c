import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The table of README.md names every folder of src, so that a newcomer knows each folder before opening it. */

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('README.md', root), 'utf8')
const folders = readdirSync(new URL('src/', root), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

it.each(folders)('names src/%s', (folder) => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows.some((row) => row.includes(`\`src/${folder}/\``) || row.includes(`\`${folder}/\``))).toBe(true)
})
