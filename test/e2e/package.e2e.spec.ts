import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { call } from '../support/call.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { type EmbeddedService, root, startEmbedded, tokenOf } from '../support/serviceProcess.ts'

/** What `npm pack` makes is a service that starts from an empty folder. */

const folder = newDataDir()
/** It finds the packages that it needs above, as npm would put them. */
const installed = join(root, `node_modules/.cache/package-${process.pid}/node_modules/heatmark`)
let service: EmbeddedService | undefined
afterAll(async () => {
  await service?.end()
  removeDataDir(folder)
  rmSync(join(installed, '../..'), { recursive: true, force: true })
})

/** Pack a copy of the sources, since packing writes beside them, and put the package where npm would. */
function installPackage(): void {
  const copy = join(folder, 'copy')
  for (const part of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'bin',
    'examples',
    'packages',
    'src',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  execFileSync('npm', ['pack', '--silent'], { cwd: copy })
  mkdirSync(installed, { recursive: true })
  const file = join(copy, `heatmark-${packageJson.version}.tgz`)
  execFileSync('tar', ['xzf', file, '-C', installed, '--strip-components=1'])
}

it('starts, serves the portal, and reads a file in its confined process', async () => {
  installPackage()
  const program = join(installed, 'bin/heatmark.js')
  service = await startEmbedded(join(folder, 'data'), {}, [process.execPath, program, 'start', '--embedded'])
  expect((await fetch(`${service.url}/portal`)).status).toBe(200)
  const { status, body } = await call(
    'POST',
    `${service.url}/api/company/${service.dev.companyId}/imports?kind=certificates`,
    {
      token: await tokenOf(service.dev, 'planner'),
      headers: { 'content-type': 'text/csv' },
      body: 'certificateNumber,heatNumber,grade,inspectionDocument\nMC-1,H1,S355J2,3.1\n',
    },
  )
  expect([status, body.rows.length]).toEqual([200, 1])
})
