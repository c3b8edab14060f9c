import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { openLogFile } from '../../src/embedded/logFile.ts'

const folder = mkdtempSync(join(tmpdir(), 'heatmark-log-'))
const file = join(folder, 'heatmark.log')
beforeEach(() => {
  for (const name of readdirSync(folder)) unlinkSync(join(folder, name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('goes on after the lines of an earlier run, for this user alone', () => {
  openLogFile(file).write('one\n')
  openLogFile(file).write('two\n')
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('keeps five files of the given size beside the present one', () => {
  const log = openLogFile(file, { rotateAt: 10 })
  for (let line = 1; line <= 20; line += 1) log.write(`${line}`.padStart(4, '0').concat('\n'))
  const names = readdirSync(folder).toSorted()
  expect(names).toStrictEqual(['heatmark.log', ...[1, 2, 3, 4, 5].map((n) => `heatmark.log.${n}`)])
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(texts[0]).toBe('0019\n0020\n')
  expect(texts[1]).toBe('0017\n0018\n')
  expect(texts[5]).toBe('0009\n0010\n')
})

it.runIf(process.platform === 'linux')('loses the lines of a full disk, and does not throw', () => {
  symlinkSync('/dev/full', file)
  const log = openLogFile(file)
  log.write('lost\n')
  log.write('lost\n')
})
