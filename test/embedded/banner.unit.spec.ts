import { expect, it } from 'vitest'
import { banner } from '../../src/embedded/banner.ts'

const url = 'http://127.0.0.1:8080'
const dev = {
  eventStoreUrl: 'esdb://',
  databaseUrl: 'postgres://',
  companyId: 'c',
  otherCompanyId: 'o',
  clients: {},
  people: { editor: { userName: 'editor', name: 'Edith Editor', password: 'only-here' } },
}
function shown(...notReady: string[]) {
  return banner(url, dev, '.heatmark', {
    release: { version: '1.2.3', commit: '28183cc0b7f5' },
    took: 2_345,
    notReady,
  })
}

it('says that Heatmark is ready only when every part is', () => {
  expect(shown()).toMatch(/^Heatmark 1\.2\.3 \(28183cc0b7f5\) is ready after 2\.3 s\n/)
  const other = shown('event store', 'projection tags')
  expect(other).not.toContain('is ready')
  expect(other).toContain('not ready: event store, projection tags\n')
  expect(other).toContain(`${url}/health/ready`)
})

it('names the people who can log in, and their password', () => {
  expect(shown()).toContain('editor\n          all with the password only-here\n')
})
