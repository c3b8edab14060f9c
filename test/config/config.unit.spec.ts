import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'

const complete = {
  EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
  DATABASE_URL: 'postgres://127.0.0.1/heatmark',
  OIDC_ISSUER: 'http://127.0.0.1:8090/tenant/v2.0',
}
const faultsOf = (environment: Record<string, string>, options = {}): string => {
  try {
    readConfig(environment, options)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('no fault was found')
}

describe('readConfig', () => {
  it('requires three addresses and has a default for every other setting', () => {
    const config = readConfig(complete)
    expect(config.eventStoreUrl).toBe(complete.EVENTSTORE_URL)
    expect(config.http).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      maxConnections: 10_000,
      inFlightBytes: 64 * 1_048_576,
      apiRateLimit: 60_000,
      authFailureLimit: 3_000,
    })
    expect(config.identity).toMatchObject({
      userClaim: 'oid',
      nameClaim: 'name',
      platformRoles: { Operator: 'Operator', PlatformAdmin: 'PlatformAdmin' },
    })
    expect(config.processRoles).toEqual(['http', 'projector', 'policies'])
  })

  it('names missing settings, except those whose parts the embedded stack starts', () => {
    const faults = faultsOf({})
    for (const name of Object.keys(complete)) expect(faults).toContain(`${name}: is missing`)
    expect(readConfig({}, { embedded: true }).eventStoreUrl).toBe('')
    expect(readConfig(complete, { embedded: true }).eventStoreUrl).toBe(complete.EVENTSTORE_URL)
  })

  it('lists every fault at once', () => {
    const faults = faultsOf({
      ...complete,
      PORT: '70000',
      API_RATE_LIMIT: 'many',
      DATABASE_URL: 'mysql://x',
      OIDC_ALGORITHMS: 'HS256',
      TRUST_PROXY: '10.0.0.0/33',
      HEATMARK_DATADIR: '/tmp',
      HEATMARK_COLOUR: 'red',
    })
    for (const fault of [
      'PORT: must be at most 65535',
      'API_RATE_LIMIT: must be a whole number',
      'DATABASE_URL: must be postgres://user:password@host/database',
      'OIDC_ALGORITHMS: must name some of',
      'TRUST_PROXY: must name addresses',
      'HEATMARK_DATADIR: is not a setting; HEATMARK_DATA_DIR is one',
      'HEATMARK_COLOUR: is not a setting of this release',
    ])
      expect(faults).toContain(fault)
  })

  it('knows the variables of the examples', () => {
    expect(() => readConfig({ ...complete, HEATMARK_KEY: 'x', HEATMARK_COMPANY_ID: 'x' })).not.toThrow()
  })

  it.each([
    ['OIDC_AUDIENC', 'OIDC_AUDIENCE'],
    ['OIDC_AUDIENCES', 'OIDC_AUDIENCE'],
    ['EVENTSTORE_URI', 'EVENTSTORE_URL'],
  ])('refuses %s, which would leave %s at its default', (name, near) => {
    expect(faultsOf({ ...complete, [name]: 'x' })).toContain(`${name}: is not a setting; ${near} is one`)
  })

  it('leaves the names of other programs alone', () => {
    expect(
      readConfig({ ...complete, PORTS: 'x', HOSTS: 'x', AWS_PROFILE: 'x', OIDC_ISSUER_NAME: 'x' }),
    ).toEqual(readConfig(complete))
  })

  it.each([
    ['EVENTSTORE_URL', 'esdb://u:hush@store:2113?tsl=false', 'has unknown options: "tsl"'],
    ['EVENTSTORE_URL', 'esdb://u:hush@store@x:2113', 'must be esdb://host:port'],
    ['EVENTSTORE_URL', 'http://u:hush@store:2113', 'must be esdb://host:port'],
    ['DATABASE_URL', 'postgres://u:hush@store:543210/x', 'must be postgres://'],
    ['OIDC_ISSUER', 'https://u:hush@login.example', 'must not hold a user or password'],
  ])('refuses %s %s without saying what it holds', (name, address, fault) => {
    const faults = faultsOf({ ...complete, [name]: address })
    expect(faults).toContain(`${name}: ${fault}`)
    expect(faults).not.toContain('hush')
  })

  it.each([
    ['OIDC_ISSUER', 'http://login.example/tenant'],
    ['OIDC_ISSUER', 'http://127.0.0.1.login.example'],
    ['OIDC_JWKS_URL', 'http://10.0.0.7/keys'],
  ])('wants HTTPS of %s %s, unless plain HTTP is allowed', (name, address) => {
    expect(faultsOf({ ...complete, [name]: address })).toContain(
      `${name}: the address must start with https://`,
    )
    expect(faultsOf({ ...complete, [name]: address, OIDC_ALLOW_HTTP: 'false' })).toContain(name)
    expect(readConfig({ ...complete, [name]: address, OIDC_ALLOW_HTTP: 'true' }).identity.allowHttp).toBe(
      true,
    )
  })

  it('accepts a provider on loopback over plain HTTP', () => {
    for (const OIDC_ISSUER of ['http://localhost:1/t', 'http://127.0.0.1/t', 'http://[::1]:1/t'])
      expect(readConfig({ ...complete, OIDC_ISSUER }).identity).toMatchObject({ allowHttp: false })
  })

  it('accepts only true and false for OIDC_ALLOW_HTTP', () => {
    expect(faultsOf({ ...complete, OIDC_ALLOW_HTTP: 'yes' })).toContain(
      'OIDC_ALLOW_HTTP: must be true or false',
    )
  })

  it.each(['OIDC_AUDIENCE', 'OIDC_AUTHORIZED_PARTIES', 'OIDC_ALGORITHMS', 'PROCESS_ROLES'])(
    'wants something in the list %s',
    (name) => {
      expect(faultsOf({ ...complete, [name]: ' ,' })).toContain(`${name}: must name at least one`)
    },
  )

  it('accepts the servers of a cluster, each with its port', () => {
    const EVENTSTORE_URL = 'esdb://store1:2113,store2:2113,store3:2113?tls=false'
    expect(readConfig({ ...complete, EVENTSTORE_URL }).eventStoreUrl).toBe(EVENTSTORE_URL)
  })

  it('ignores empty variables, and those of the commands and specs', () => {
    expect(readConfig({ ...complete, PORT: '', HEATMARK_URL: 'http://x', HEATMARK_TEST_ALL: '1' })).toEqual(
      readConfig(complete),
    )
  })

  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('accepts the host %s without TLS', (HOST) => {
    expect(readConfig({ ...complete, HOST }).http.host).toBe(HOST)
  })

  it('accepts origins as browsers send them, and names the variable of any other', () => {
    const corsOrigins = ['https://app.example.com', 'http://localhost:5173']
    expect(readConfig({ ...complete, CORS_ORIGINS: corsOrigins.join(', ') }).http.corsOrigins).toEqual(
      corsOrigins,
    )
    expect(readConfig(complete).http.corsOrigins).toBeUndefined()
    for (const CORS_ORIGINS of [
      '*',
      'null',
      'app.example.com',
      'https://app.example.com/',
      'https://app.example.com/app',
      'https://App.example.com',
      'https://app.example.com:443',
      'ftp://app.example.com',
      'https://',
      'https://user@app.example.com',
      'https://app.example.com?x',
      'https://app.example.com *',
    ])
      expect(faultsOf({ ...complete, CORS_ORIGINS })).toContain('CORS_ORIGINS: must name origins')
    expect(faultsOf({ ...complete, CORS_ORIGINS: ',' })).toContain('CORS_ORIGINS: must name at least one')
  })

  it.each(['0.0.0.0', '::', '10.1.2.3', 'heatmark.example'])(
    'refuses the host %s without TLS or a named proxy',
    (HOST) => {
      expect(faultsOf({ ...complete, HOST })).toContain(`HOST: ${HOST} is not loopback`)
      const tls = { TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' }
      expect(readConfig({ ...complete, HOST, ...tls }).http.tls).toEqual({ cert: 'cert.pem', key: 'key.pem' })
      expect(readConfig({ ...complete, HOST, TRUST_PROXY: '10.0.0.1, fd00::/8' }).http.trustProxy).toEqual([
        '10.0.0.1',
        'fd00::/8',
      ])
      for (const TRUST_PROXY of [',', ' ', ' , ,'])
        expect(faultsOf({ ...complete, HOST, TRUST_PROXY })).toContain('TRUST_PROXY: must name at least one')
      expect(faultsOf({ ...complete, HOST, TLS_CERT: 'cert.pem' })).toContain(
        'TLS_CERT, TLS_KEY: set both or none',
      )
    },
  )
})

describe('the portal', () => {
  const client = { OIDC_CLIENT_ID: 'portal', OIDC_CLIENT_SECRET: 'secret' }
  const elsewhere = { ...complete, ...client, HOST: '10.0.0.1', TRUST_PROXY: 'loopback' }

  it('needs id and secret of a client, and is off without both', () => {
    expect(readConfig(complete).portal).toBeUndefined()
    expect(readConfig({ ...complete, ...client }).portal).toEqual({
      clientId: 'portal',
      clientSecret: 'secret',
      scope: 'openid profile',
    })
    expect(faultsOf({ ...complete, OIDC_CLIENT_ID: 'portal' })).toContain('set both or none')
    expect(faultsOf({ ...complete, OIDC_CLIENT_SECRET: 'secret' })).toContain('set both or none')
  })

  it('needs an https address that browsers know, except on loopback', () => {
    expect(faultsOf(elsewhere)).toContain('PUBLIC_URL: is missing')
    expect(faultsOf({ ...elsewhere, PUBLIC_URL: 'http://steel.example' })).toContain('https://')
    expect(readConfig({ ...elsewhere, PUBLIC_URL: 'https://steel.example' }).portal).toBeDefined()
    expect(readConfig({ ...complete, ...client, PUBLIC_URL: 'http://localhost:8080' }).portal).toBeDefined()
  })

  it('asks for a login by OpenID Connect, whatever else it asks for', () => {
    expect(faultsOf({ ...complete, ...client, OIDC_SCOPE: 'profile' })).toContain(
      'OIDC_SCOPE: must name openid',
    )
  })

  it('names the bucket of documents, and where it is', () => {
    const placeOf = (more: Record<string, string>) => readConfig({ ...complete, ...more }).documents
    expect(placeOf({})).toBeUndefined()
    expect(placeOf({ DOCUMENTS_URL: 's3://yard' })).toMatchObject({ bucket: 'yard', prefix: '' })
    const endpoint = 'https://minio.example.com'
    expect(placeOf({ DOCUMENTS_URL: 's3://yard/heat/mark/', DOCUMENTS_ENDPOINT: endpoint })).toEqual({
      bucket: 'yard',
      prefix: 'heat/mark/',
      endpoint,
      region: 'us-east-1',
    })
    expect(placeOf({ DOCUMENTS_URL: 's3://yard', AWS_REGION: 'eu-central-1' })).toMatchObject({
      region: 'eu-central-1',
    })
    for (const DOCUMENTS_URL of ['file:///tmp', 's3://', 's3://Yard', 's3://yard/../x', '/var/documents'])
      expect(faultsOf({ ...complete, DOCUMENTS_URL })).toContain('DOCUMENTS_URL: must name a bucket')
    expect(faultsOf({ ...complete, DOCUMENTS_ENDPOINT: endpoint })).toContain('needs DOCUMENTS_URL')
  })

  it('name the key that signs, and the program that has its private half', () => {
    const given = { SIGNING_KEY: '/etc/public.pem', SIGNING_COMMAND: '/usr/bin/hsm-sign' }
    expect(readConfig({ ...complete, ...given }).signingKey).toEqual({
      file: '/etc/public.pem',
      command: '/usr/bin/hsm-sign',
    })
    expect(readConfig(complete).signingKey).toBeUndefined()
    expect(faultsOf({ ...complete, SIGNING_COMMAND: given.SIGNING_COMMAND })).toContain(
      'SIGNING_COMMAND: needs SIGNING_KEY',
    )
  })

  it('name a timestamp authority together with its certificates', () => {
    const given = { TIMESTAMP_URL: 'https://tsa.example/', TIMESTAMP_CERTIFICATES: '/etc/tsa.pem' }
    expect(readConfig({ ...complete, ...given }).timestamps).toEqual({
      url: 'https://tsa.example/',
      certificates: '/etc/tsa.pem',
    })
    expect(readConfig(complete).timestamps).toBeUndefined()
    for (const name of Object.keys(given))
      expect(faultsOf({ ...complete, ...given, [name]: undefined })).toContain('set both or none')
    expect(faultsOf({ ...complete, ...given, TIMESTAMP_URL: 'ftp://tsa' })).toContain(
      'TIMESTAMP_URL: must be an',
    )
  })
})
