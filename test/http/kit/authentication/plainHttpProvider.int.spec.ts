import { expect, it } from 'vitest'
import { startTestService } from '../../../support/testService.ts'

it('a service that accepts an identity provider over plain HTTP logs a warning when it starts', async () => {
  const service = await startTestService()
  try {
    expect(service.logged()).not.toContain('OIDC_ALLOW_HTTP')
    await (await service.startAnother({ OIDC_ALLOW_HTTP: 'true' })).stop()
    expect(service.logged()).toContain('OIDC_ALLOW_HTTP=true: ')
  } finally {
    await service.stop()
  }
})
