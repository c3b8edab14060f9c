import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { root } from '../support/serviceProcess.ts'
import { changes, type Edits, edited } from './changes.ts'

/** Makes each change of docs/adding-a-field.md in a copy of the sources. */

const copy = newDataDir()
afterAll(() => removeDataDir(copy))

beforeAll(() => {
  for (const path of [
    'src',
    'docs',
    'examples',
    'packages',
    'test/golden/events',
    'test/docs/tryChanges.ts',
    'test/projections/foldInMemory.ts',
    'package.json',
  ])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const options = { extends: join(root, 'tsconfig.json'), include: ['src'], exclude: ['src/portal'] }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(options))
  for (const { files, texts } of changes) for (const edits of [files, texts]) make(edits)
})

function make(edits: Edits): void {
  for (const [path, changed] of Object.entries(edits)) {
    const file = join(copy, path)
    if (typeof changed === 'string') {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, changed)
      continue
    }
    writeFileSync(file, edited(path, readFileSync(file, 'utf8'), changed))
  }
}

function run(...args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout || (error as Error).message)
  }
}

it('the type checker finds nothing missing', () => {
  run('src/portalBuild/generate.ts')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  expect(run(tsc)).toBe('')
  expect(run(tsc, '-p', 'src/portal')).toBe('')
})

it('the service has what was added', () => {
  const tried = JSON.parse(run('test/docs/tryChanges.ts'))
  expect(tried).toMatchObject({
    order: 'Bridge 7',
    certificate: 'W 1',
    bar: { note: 'Rusty.', revision: 1 },
    sentence: 'A note was written: Rusty.',
    overrides: [{ reason: 'Measured.' }],
    findings: expect.arrayContaining([{ code: 'no-cuts', severity: 'Flag' }]),
    operations: expect.arrayContaining(['noteBar', 'listBarOverrides']),
  })
})
