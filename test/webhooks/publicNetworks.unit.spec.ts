import { expect, it } from 'vitest'
import { guardedLookup, mayReach } from '../../src/webhooks/publicNetworks.ts'

it.each([
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
])('does not reach %s', (address) => expect(mayReach([]).any(address)).toBe(false))

it.each(['8.8.8.8', '172.32.0.1', '193.99.144.80', '2a02:2e0::1'])('reaches %s, which is public', (address) =>
  expect(mayReach([]).any(address)).toBe(true),
)

it('reaches the networks that the operator allows', () => {
  const { any, ours } = mayReach(['10.1.0.0/16', '::1'])
  expect(['10.1.2.3', '10.2.2.3', '::1', '8.8.8.8'].map(any)).toEqual([true, false, true, true])
  expect(['10.1.2.3', '8.8.8.8'].map(ours)).toEqual([true, false])
})

it('looks at the address of a name when it connects', async () => {
  const lookUp = (allowed: string[]) =>
    new Promise((resolve) =>
      guardedLookup(mayReach(allowed).any)('localhost', { all: true }, (error) =>
        resolve(error?.message ?? 'found'),
      ),
    )
  expect(await lookUp([])).toMatch(/not public/)
  expect(await lookUp(['127.0.0.0/8', '::1'])).toBe('found')
})
