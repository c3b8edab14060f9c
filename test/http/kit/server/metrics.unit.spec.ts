import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Response } from 'express'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { timeRequests } from '../../../../src/http/kit/server/metrics.ts'
import { operations } from '../../../support/operations.ts'

it('stays below 200,000 bytes when every route has answered with five statuses', async () => {
  const registry = new Registry()
  const measure = timeRequests(registry, () => 0)
  for (const route of operations)
    for (const statusCode of [200, 304, 400, 403, 503]) {
      const res = Object.assign(new EventEmitter(), { locals: { route }, statusCode })
      measure({ method: route.method } as IncomingMessage, res as unknown as Response)
      res.emit('close')
    }
  const text = await registry.metrics()
  expect(text).toContain('heatmark_http_requests_total{method="')
  expect(text.length).toBeLessThan(200_000)
})
