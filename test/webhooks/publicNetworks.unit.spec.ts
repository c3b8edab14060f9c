import { expect, it } from 'vitest'
import { reachOf } from '../../src/webhooks/publicNetworks.ts'

const faultOf = (address: string) =>
  reachOf([]).faultOf(`https://${address.includes(':') ? `[${address}]` : address}/`)

it.each([
  ...['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.'],
  ...[
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
  ],
  ...[
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::1',
  ],
])('does not reach %s', (address) => expect(faultOf(address)).toMatch(/public/))

it.each(['8.8.8.8', '172.32.0.1', '193.99.144.80', '2a02:2e0::1'])('reaches %s, which is public', (address) =>
  expect(faultOf(address)).toBeUndefined(),
)

it('reaches the networks that the operator allows', () => {
  const reached = (scheme: string, ...hosts: string[]) =>
    hosts.map((host) => reachOf(['10.1.0.0/16', '::1']).faultOf(`${scheme}://${host}/`) === undefined)
  expect(reached('https', '10.1.2.3', '10.2.2.3', '[::1]', '8.8.8.8')).toEqual([true, false, true, true])
  expect(reached('http', '10.1.2.3', '8.8.8.8', 'erp.example')).toEqual([true, false, true])
  expect(reachOf([]).faultOf('http://erp.example/')).toMatch(/https/)
})

it('looks at the address of a name when it connects, and tells nothing of a network that is closed', async () => {
  const lookUp = (allowed: string[], name = 'localhost') =>
    new Promise((resolve) =>
      reachOf(allowed).lookupFor('https://localhost/')(name, { all: true }, (error) =>
        resolve(error?.message ?? 'found'),
      ),
    )
  expect(await lookUp([])).toBe('localhost has no address that may be reached')
  // Without a network, nobody can say that the name is unknown.
  expect(await lookUp([], 'unknown.invalid')).toMatch(/EAI_AGAIN|has no address that may be reached/)
  expect(await lookUp(['127.0.0.0/8', '::1'])).toBe('found')
})
