import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, it } from 'vitest'
import { readConfig, settingNames } from '../src/config/config.ts'

/** The files of `deploy/`, which a plant copies. */

const read = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8')

it('the file of settings names every setting, with the default that it has', () => {
  const given = parseEnv(read('heatmark.env')) as Record<string, string>
  expect(Object.keys(given).sort()).toEqual([...settingNames].sort())
  const needed = {
    EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
    DATABASE_URL: 'postgres://127.0.0.1/heatmark',
    OIDC_ISSUER: 'https://login.example',
  }
  expect(readConfig({ ...given, ...needed })).toEqual(readConfig(needed))
})

it('the unit of systemd starts a command that there is', () => {
  const [, command] = /^ExecStart=\S+\/heatmark (.*)$/m.exec(read('heatmark.service'))!
  const help = execFileSync(process.execPath, ['bin/heatmark.js', command!, '--help'], { encoding: 'utf8' })
  expect(help).toContain('Usage: heatmark start')
})

const promtool = spawnSync('promtool', ['--version']).error === undefined

it.skipIf(!promtool)('the alarms are rules of Prometheus, and are silent while a plant works', () => {
  const cwd = new URL('../deploy', import.meta.url).pathname
  for (const args of [
    ['check', 'rules', 'alerts.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])
    expect(spawnSync('promtool', args, { cwd, encoding: 'utf8' })).toMatchObject({ status: 0 })
})
