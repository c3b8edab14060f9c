import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { readConfig } from '../../../../src/config/config.ts'
import { freePort } from '../../../../src/embedded/ports.ts'
import { clock } from '../../../../src/lib/clocks.ts'
import { openDoor } from '../../../../src/processes/parts/http.ts'
import { startService } from '../../../../src/service.ts'
import { suiteLog } from '../../../support/suiteLog.ts'
import { until } from '../../../support/until.ts'

it('says that the process runs while it waits for its stores, and serves nothing else', async () => {
  const nobody = await freePort()
  const config = readConfig({
    PORT: '0',
    EVENTSTORE_URL: `esdb://127.0.0.1:${nobody}?tls=false`,
    DATABASE_URL: `postgres://nobody@127.0.0.1:${nobody}/nothing`,
    OIDC_ISSUER: `http://127.0.0.1:${nobody}`,
  })
  const release = { version: '1.2.3', commit: '28183cc0b7f5' }
  const { log, written } = suiteLog()
  const door = await openDoor({ config, release, log, newId: randomUUID, clock })
  const { url } = door.listening
  const interruption = new AbortController()
  const starting = startService(config, log, interruption.signal, { door, rulePacks: [] })
  const outcome = starting.catch((error: unknown) => error)

  const live = await fetch(`${url}/health/live`)
  expect([live.status, await live.json()]).toStrictEqual([200, { status: 'live', ...release }])
  for (const path of ['/health/ready', '/api/company/x/orders']) {
    const answer = await fetch(url + path)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await answer.json()).toMatchObject({ code: 'not-ready', notReady: ['stores'] })
  }
  await until(() => written().includes('/orders'))
  expect(written()).not.toContain('"path":"/health/')
  interruption.abort()
  expect(await outcome).toMatchObject({ name: 'AbortError' })
  await expect(fetch(`${url}/health/live`)).rejects.toThrow()
})
