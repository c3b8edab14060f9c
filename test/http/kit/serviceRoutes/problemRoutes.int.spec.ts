import { describe, expect, it } from 'vitest'
import { problemCodes } from '../../../../src/problems/catalogue.ts'
import { startHttp } from '../../../support/http.ts'
import { startIdentityProvider } from '../../../support/identity.ts'
import { own } from '../../../support/own.ts'

/** The pages that explain the problem codes. */

const identity = await own(startIdentityProvider())
const service = await own(startHttp({ identity }))

const read = (path: string, accept = '*/*', at = service.url) =>
  fetch(path.startsWith('http') ? path : at + path, { headers: { accept } })
// biome-ignore lint/suspicious/noExplicitAny: a spec knows the shape of its answer.
const json = async (path: string): Promise<any> => (await read(path, 'application/json')).json()

describe('/problems', () => {
  it.each(['/problems', '/api/problems'])('lists every code for anyone: %s', async (path) => {
    const listed = await json(path)
    expect(listed.map(({ code }: { code: string }) => code).sort()).toEqual([...problemCodes].sort())
    const page = await read(path)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await page.text()
    for (const code of problemCodes) expect(html).toContain(`href="/problems/${code}"`)
  })

  it.each(problemCodes)('explains %s at the address that its problems name', async (code) => {
    const one = await json(`/problems/${code}`)
    expect(one).toMatchObject({ code, type: `${service.url}/problems/${code}` })
    const page = await read(one.type, 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect(page.status).toBe(200)
    expect(page.headers.get('vary')).toContain('Accept')
    const html = await page.text()
    expect(html).toContain(`code <code>${code}</code>`)
    for (const member of Object.keys(one.members)) expect(html).toContain(`<code>${member}</code>`)
    expect(html).not.toMatch(/undefined|\[object|<script|https?:\/\//)
  })

  it.each(['application/problem+json', 'application/problem+json, text/html;q=0.5', 'application/json'])(
    'answers JSON to a program that accepts %s',
    async (accept) => {
      for (const path of ['/problems', '/problems/forbidden']) {
        const answer = await read(path, accept)
        expect(answer.headers.get('content-type')).toBe('application/json')
        expect(JSON.stringify(await answer.json())).toContain('"forbidden"')
      }
    },
  )

  it.each(['text/html', '*/*', 'image/png'])('answers a page to a caller that accepts %s', async (accept) => {
    const answer = await read('/problems/forbidden', accept)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it('shows the members of a code with their schemas', async () => {
    const { members } = await json('/problems/rule-pack-newer')
    expect(members).toMatchObject({ subscribedVersion: { type: 'integer' }, version: { type: 'integer' } })
    expect(JSON.stringify(await json('/problems/validation-failed'))).not.toContain('$ref')
  })

  it('allows a page its own style and nothing else', async () => {
    const policy = (await read('/problems/forbidden')).headers.get('content-security-policy')!
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /)
    expect(policy).not.toContain('unsafe')
  })

  it('has no page for another code', async () => {
    for (const code of ['nothing', 'constructor', '__proto__', '%3Cscript%3E']) {
      const answer = await read(`/problems/${code}`, 'text/html')
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'not-found', instance: `/problems/${code}` })
    }
  })
})

describe('the type of a problem', () => {
  it('is the address that the request was sent to', async () => {
    const byName = service.url.replace('127.0.0.1', 'localhost')
    expect(await (await read('/nothing', '*/*', byName)).json()).toMatchObject({
      type: `${byName}/problems/not-found`,
    })
  })

  it('is the public address, if one is configured', async () => {
    const known = await startHttp({ identity, publicUrl: 'https://heatmark.example.org/base' })
    try {
      expect(await (await read('/nothing', '*/*', known.url)).json()).toMatchObject({
        type: 'https://heatmark.example.org/base/problems/not-found',
      })
    } finally {
      await known.close()
    }
  })
})
