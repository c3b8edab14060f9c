import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRunning } from '../../src/embedded/processes.ts'
import { sweepRunFolders } from './runFolder.ts'
import { until } from './until.ts'

/** A run that is killed leaves no process behind, and the next run removes its files. */

it('ends a process when the one that started it is killed', async () => {
  const script = `
    const { spawnHere } = await import('${new URL('spawnHere.ts', import.meta.url)}')
    const args = ['-e', 'console.log("runs"); setInterval(() => {}, 1_000)']
    const child = spawnHere(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.once('data', () => console.log(child.pid))`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [started] = await once(starter.stdout, 'data')
  const pid = Number(started)
  expect(isRunning(pid)).toBe(true)
  starter.kill('SIGKILL')
  await until(() => !isRunning(pid))
})

it('removes the folders of runs that have ended, and no others', () => {
  const parent = mkdtempSync(join(tmpdir(), 'heatmark-sweep-'))
  const { pid: ended } = spawnSync('true')
  const folders = [`heatmark-run-${ended}-old`, `heatmark-run-${process.pid}-own`, 'heatmark-test-x']
  for (const name of folders) mkdirSync(join(parent, name, 'data'), { recursive: true })
  writeFileSync(join(parent, folders[0]!, 'file'), '')
  sweepRunFolders(parent)
  expect(readdirSync(parent).sort()).toEqual(folders.slice(1).sort())
  rmSync(parent, { recursive: true })
})
