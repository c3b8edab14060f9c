import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express, { type NextFunction, type Request, type Response } from 'express'
import { afterEach, expect, it } from 'vitest'
import { type Pages, readPages, servePages } from '../../../../src/http/kit/portal/pages.ts'
import { Problem } from '../../../../src/http/kit/problem.ts'
import { newDataDir, removeDataDir } from '../../../support/dataDir.ts'

/** The built pages are served with their policy, and an installation without them says so. */

let server: Server
let url = ''

async function serve(pages: Pages | undefined): Promise<void> {
  const app = express()
  app.use('/portal', servePages(pages, { version: '1.2.3', commit: null }))
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const { status, code } = error as Problem
    res.status(error instanceof Problem ? status : 500).json({ code })
  })
  server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/portal`
}

function built(): Pages | undefined {
  const folder = newDataDir()
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(
    join(folder, 'index.html'),
    '<meta nonce="{{nonce}}" content="{{release}}"><script nonce="{{nonce}}"></script>',
  )
  writeFileSync(join(folder, 'assets/page-1.js'), 'plain'.repeat(1_000))
  writeFileSync(join(folder, 'assets/page-1.js.br'), 'in br')
  writeFileSync(join(folder, 'assets/page-1.js.gz'), 'in gzip')
  writeFileSync(join(folder, 'worker.js'), 'the worker')
  const pages = readPages(folder)
  removeDataDir(folder)
  return pages
}

afterEach(() => new Promise((resolve) => server.close(resolve)))

it('answers every address with the document, whose nonce is new each time and in the policy', async () => {
  await serve(built())
  const nonces = new Set<string>()
  for (const path of ['', '/', '/c/x/tags/millcert', '/account/keys?view=deleted']) {
    const { status, headers, ...response } = await fetch(`${url}${path}`).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }))
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    const policy = headers.get('content-security-policy')!
    expect(policy).not.toContain('unsafe')
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)![1]!
    expect(response.text).toBe(`<meta nonce="${nonce}" content="1.2.3"><script nonce="${nonce}"></script>`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(4)
})

it('serves assets for ever, in the coding that the browser prefers, and no document in their place', async () => {
  await serve(built())
  const asset = async (coding: string) => {
    const { headers, ...response } = await fetch(`${url}/assets/page-1.js`, {
      headers: { 'accept-encoding': coding },
    })
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('vary')).toBe('Accept-Encoding')
    return [headers.get('content-encoding'), Number(headers.get('content-length')), response]
  }
  expect((await asset('br, gzip')).slice(0, 2)).toEqual(['br', 5])
  expect((await asset('gzip')).slice(0, 2)).toEqual(['gzip', 7])
  expect((await asset('identity')).slice(0, 2)).toEqual([null, 5_000])
  for (const path of ['/assets/gone.js', '/assets/', '/assets/..%2findex.html', '/assets/page-1.js.br'])
    expect((await fetch(`${url}${path}`)).status, path).toBe(404)
})

it('serves the service worker anew each time, and lets it read from this service alone', async () => {
  await serve(built())
  const response = await fetch(`${url}/worker.js`)
  expect(await response.text()).toBe('the worker')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
})

it('takes nothing but reads', async () => {
  await serve(built())
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await fetch(url, { method })).status).toBe(404)
})

it('answers 503 at every address when the pages were not built', async () => {
  const folder = newDataDir()
  await serve(readPages(folder))
  removeDataDir(folder)
  for (const path of ['', '/c/x', '/assets/page-1.js']) {
    const response = await fetch(`${url}${path}`)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ code: 'portal-not-built' })
  }
})
