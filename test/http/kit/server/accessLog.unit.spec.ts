import { describe, expect, it } from 'vitest'
import { loggedPath } from '../../../../src/http/kit/server/accessLog.ts'

describe('the path in the access log', () => {
  it.each([
    ['/api/me?access_token=eyJhbGciOiJub25lIn0.e30.', '/api/me'],
    ['/api/hmk_0aB9/keys', '/api/…/keys'],
    ['/api/eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln_-x/orders', '/api/…/orders'],
    ['/api/Bearer%20eyJhbGciOiJub25lIn0.e30./orders', '/api/Bearer%20…/orders'],
    ['/api/eyJhbGciOiJub25lIn0', '/api/…'],
    ['/api/me', '/api/me'],
  ])('of %s is %s', (url, path) => {
    expect(loggedPath(url)).toBe(path)
  })

  it('is cut off after 1,000 characters, and hides a credential that is cut in two', () => {
    expect(loggedPath(`/${'a'.repeat(2_000)}`)).toBe(`/${'a'.repeat(999)}…`)
    expect(loggedPath(`/${'a'.repeat(990)}eyJhbGciOiJub25lIn0.e30.c2ln`)).toBe(`/${'a'.repeat(990)}……`)
    expect(loggedPath(`/${'a'.repeat(990)}?eyJhbGciOiJub25lIn0.e30.c2ln`)).toBe(`/${'a'.repeat(990)}`)
  })
})
