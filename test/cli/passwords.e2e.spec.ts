import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHeatmarkProcess } from '../support/heatmark.ts'
import { root, startProcess } from '../support/serviceProcess.ts'
import { until } from '../support/until.ts'

/** Neither the service nor a command prints the passwords in its addresses. */

// No server listens on port 1, and no host has these names.
const stores = (more: Record<string, string> = {}) => ({
  EVENTSTORE_URL: 'esdb://admin:hush-store@127.0.0.1:1?tls=false',
  DATABASE_URL: 'postgres://admin:hush-database@127.0.0.1:1/heatmark',
  OIDC_ISSUER: 'http://127.0.0.1:1',
  ...more,
})
const startService = (env: Record<string, string>, ...flags: string[]) =>
  startProcess(process.execPath, [...flags, join(root, 'src/main.ts')], {
    PORT: '0',
    LOG_LEVEL: 'trace',
    ...env,
  })

it('a service that waits for its stores prints no password', async () => {
  const service = startService(stores())
  await until(() => service.stdout().includes('waiting: '))
  await service.end()
  expect(service.stdout() + service.stderr()).not.toContain('hush')
})

it('a service that fails unexpectedly prints the stack, and no password', async () => {
  const unforeseen =
    'data:text/javascript,setTimeout(function mishap() { throw new TypeError("mishap") }, 500)'
  const service = startService(stores(), '--import', unforeseen)
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toMatch(/^heatmark: TypeError: mishap\n +at .*mishap/m)
  expect(service.stdout() + service.stderr()).not.toContain('hush')
})

it.each([
  ['EVENTSTORE_URL', 'esdb://admin:hush@127.0.0.1:1?tls=false&colour=hush', '"colour"'],
  ['EVENTSTORE_URL', 'esdb://admin:hush@127.0.0.1:1?tls=hush', 'expected: true or false'],
  ['EVENTSTORE_URL', 'esdb://admin:hush', 'expected: port number'],
  ['DATABASE_URL', 'postgres://admin:hush/@127.0.0.1:1/heatmark', 'DATABASE_URL: must be'],
])('a service with a wrong %s, %s, prints no password', async (name, address, said) => {
  const service = startService(stores({ [name]: address }))
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toContain(said)
  expect(service.stdout() + service.stderr()).not.toContain('hush')
})

it.each([
  ['doctor', {}, 1],
  ['doctor', { EVENTSTORE_URL: 'esdb://admin:hush@127.0.0.1:1?colour=hush' }, 3],
  ['doctor', { DATABASE_URL: 'postgres://admin:hush/@127.0.0.1:1/heatmark' }, 3],
  ['status', {}, 3],
] as const)('heatmark %s with %o prints no password', async (command, env, code) => {
  const ran = await runHeatmarkProcess([command], stores(env))
  expect(ran.stdout + ran.stderr).not.toContain('hush')
  expect(ran).toMatchObject({ code })
  expect(ran.stdout + ran.stderr).not.toBe('')
})
