import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type ListenOptions, listen } from '../../src/http/kit/server/server.ts'
import { clock } from '../../src/lib/clocks.ts'
import { writeTlsFiles } from '../support/selfSigned.ts'
import { root, startProcess } from '../support/serviceProcess.ts'

/** The health check of the image, as the Dockerfile says it. */

const [, command] = /^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(
  readFileSync(join(root, 'Dockerfile'), 'utf8'),
)!
const [, script] = JSON.parse(command!) as [string, string]

const { tls, remove } = writeTlsFiles()
afterAll(remove)

const live: RequestListener = (req, res) => res.writeHead(req.url === '/health/live' ? 200 : 404).end()
const dead: RequestListener = (_req, res) => res.writeHead(503).end()

const checkOf = async (
  app: RequestListener,
  options: Partial<ListenOptions>,
  env: Record<string, string>,
) => {
  const server = await listen(app, { host: '127.0.0.1', port: 0, clock, ...options })
  const check = startProcess(process.execPath, [join(root, script)], { PORT: String(server.port), ...env })
  const code = await check.ended
  await server.close(0)
  return code
}

it('finds a service that listens everywhere, by plain HTTP and with a certificate', async () => {
  expect(await checkOf(live, {}, { HOST: '0.0.0.0' })).toBe(0)
  const env = { HOST: '0.0.0.0', TLS_CERT: tls.cert, TLS_KEY: tls.key }
  expect(await checkOf(live, { tls }, env)).toBe(0)
  expect(await checkOf(live, { tls, host: '::1' }, { ...env, HOST: '::1' })).toBe(0)
})

it('finds that a service is ill, or not there, or does not speak as it should', async () => {
  expect(await checkOf(dead, {}, {})).toBe(1)
  expect(await checkOf(live, {}, { PORT: '1' })).toBe(1)
  expect(await checkOf(live, {}, { TLS_CERT: tls.cert })).toBe(1)
})

it('is in the image', () => {
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain(`COPY ${script} `)
  expect(readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')).toContain(`!${script}`)
})
