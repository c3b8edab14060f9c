import { expect, it } from 'vitest'
import { banner } from '../../src/embedded/banner.ts'

const url = 'http://127.0.0.1:8080'
const dev = {
  eventStoreUrl: 'esdb://',
  databaseUrl: 'postgres://',
  companyId: 'c',
  otherCompanyId: 'o',
  clients: {},
}
const shown = (building?: { position: number; head: number }) =>
  banner(url, dev, '.heatmark', { took: 2_345, building })

it('calls ready only what shows everything', () => {
  expect(shown()).toMatch(/^Heatmark is ready after 2\.3 s\n/)
  const building = shown({ position: 12, head: 100 })
  expect(building).not.toContain('is ready')
  expect(building).toContain('position 12 of 100')
  expect(building).toContain(`${url}/health/ready`)
})
