import { expect, it } from 'vitest'
import { messageId, newSecret, signedHeaders } from '../../src/webhooks/signature.ts'

it('signs as the examples of Standard Webhooks do', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  }
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  expect(signedHeaders(message, [secret])['webhook-signature']).toBe(signature)
  expect(signedHeaders(message, [newSecret(), secret])['webhook-signature'].split(' ')[1]).toBe(signature)
})

it('makes secrets of 32 random bytes', () => {
  expect(Buffer.from(newSecret().slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(newSecret()).not.toBe(newSecret())
})

it('gives the same changes the same id, until they are sent again on purpose', () => {
  expect(messageId(1, ['a', 'b'])).toBe(messageId(1, ['a', 'b']))
  expect(new Set([messageId(1, ['a', 'b']), messageId(1, ['a']), messageId(2, ['a', 'b'])]).size).toBe(3)
})
