import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { own } from '../support/own.ts'
import { root } from '../support/serviceProcess.ts'
import { isFullRun } from '../support/size.ts'
import { startTestService } from '../support/testService.ts'

/* The generator needs a TypeScript of its own, so it is installed for this spec alone (docs/decisions/libraries.md). */

const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']

const folder = newDataDir()
afterAll(() => removeDataDir(folder))

/** The service runs in this process, so nothing may block it. */
const run = (command: string, ...args: readonly string[]) =>
  promisify(execFile)(command, args, { cwd: folder }).catch((error) => {
    throw new Error(`${error.message}${error.stdout}`)
  })

it.runIf(isFullRun)('a program with types of openapi-typescript needs no cast', async () => {
  const service = await own(startTestService())
  cpSync(join(import.meta.dirname, 'openapiFetch'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const options = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { lib: ['esnext', 'dom'], types: [] },
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ ...options, files: ['walk.ts'], include: [] }),
  )
  await run('npm', 'install', '--silent', ...packages)
  await run('npx', 'openapi-typescript', `${service.url}/openapi.json`, '--output', 'schema.d.ts')
  await run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'))

  const { walk } = await import(join(folder, 'walk.ts'))
  const token = await service.identity.token({ oid: 'admin', name: 'Admin', roles: [] })
  expect(await walk(service.url, service.companyId, token)).toEqual({
    certificateNumbers: ['C 1', 'C 2'],
    approved: [{ before: true, after: 'Approved' }],
    customer: 'Bridge 7',
    stale: 'precondition-failed',
    invalid: 'validation-failed',
    faults: expect.arrayContaining([expect.objectContaining({ path: '/orderNumber' })]),
  })
})
