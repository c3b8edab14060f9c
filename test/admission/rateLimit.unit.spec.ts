import { expect, it } from 'vitest'
import { addressGroup, createRateLimiter } from '../../src/admission/rateLimit.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['2001:0DB8:0:1:2:3:4:5', '2001:db8:0:1'],
  ['2001:db8:0:1::5', '2001:db8:0:1'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['1::2:3:4:5:192.0.2.1', '1:0:2:3'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

it('counts in windows of a minute, each key for itself', () => {
  let now = 0
  const limiter = createRateLimiter('things', 2, () => now)
  expect([1, 2, 3].map(() => limiter.count('a').exceeded)).toEqual([false, false, true])
  expect(limiter.count('b').exceeded).toBe(false)
  now += 59_999
  expect(limiter.count('a').exceeded).toBe(true)
  now += 1
  expect(limiter.count('a')).toMatchObject({ exceeded: false, resetSeconds: 60 })
})

it('drops the least recently used keys beyond its limit', () => {
  const limiter = createRateLimiter('things', 1, () => 0)
  limiter.count('busy')
  limiter.count('idle')
  for (let n = 0; n < 100_000; n++) {
    if (n % 1_000 === 0) expect(limiter.count('busy').exceeded).toBe(true)
    limiter.count(`key ${n}`)
  }
  expect(limiter.count('busy').exceeded).toBe(true)
  expect(limiter.count('idle').exceeded).toBe(false)
})
