import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import {
  type AuthenticateOptions,
  createAuthentication,
} from '../../../../src/http/kit/authentication/authenticate.ts'

const snapshot = [
  { companyId: 'a', companyName: 'A', roles: ['Viewer'] },
  { companyId: 'b', companyName: 'B', roles: ['Planner'] },
]

it('lets a key act by its snapshot alone, and counts all that it does against its limit', async () => {
  const caller = { id: 'alice', name: 'Alice', kind: 'user' }
  const { authenticate } = createAuthentication({
    apiKeys: { verify: async () => ({ keyId: 'one', caller, snapshot }) },
    failureLimit: 1,
    apiRateLimit: 3,
    clock: () => 0,
  } as unknown as AuthenticateOptions)
  const req = { headers: { 'service-api-key': 'a key' } } as unknown as IncomingMessage
  const principal = await authenticate(req, { setHeader: () => {} } as unknown as ServerResponse, '::1')
  expect(await principal.rolesIn('a')).toEqual(['Viewer'])
  expect(await principal.rolesIn('b')).toEqual(['Planner'])
  expect(await principal.rolesIn('c')).toEqual([])
  expect(await principal.memberships()).toEqual(snapshot)
  for (const _ of [2, 3]) principal.countRequest()
  expect(() => principal.countRequest()).toThrow('Too many requests.')
})
