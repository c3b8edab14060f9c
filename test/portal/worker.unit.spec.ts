import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** The service worker of the saw, with a network and a cache of this spec. */

const files = ['/portal/assets/index-1.js', '/portal/assets/index-1.css']
const documentOf = (release: number) => `<script src="/portal/assets/index-${release}.js"></script>`
const host = 'https://heatmark.example'

let starts = 0

type Listener = (event: object) => void
let listeners: Map<string, Listener>
/** The text of each file, by the name of its cache and its path. */
let kept: Map<string, Map<string, string>>
let network: (path: string) => Promise<Response>

beforeEach(async () => {
  listeners = new Map()
  kept = new Map()
  network = async (path) => new Response(path === '/portal/' ? documentOf(1) : `text of ${path}`)
  const cacheOf = (name: string) => {
    const paths = kept.get(name) ?? new Map<string, string>()
    kept.set(name, paths)
    return {
      addAll: async (wanted: string[]) => {
        for (const path of wanted) {
          const response = await network(path)
          if (!response.ok) throw new TypeError('a file is missing')
          paths.set(path, await response.text())
        }
      },
      match: async (path: string) => found(paths.get(path)),
    }
  }
  const found = (text: string | undefined) => (text === undefined ? undefined : new Response(text))
  vi.stubGlobal('release', { id: 'one', files })
  vi.stubGlobal('location', { origin: host })
  vi.stubGlobal('fetch', ({ url }: Request) => network(new URL(url).pathname))
  vi.stubGlobal('caches', {
    open: async (name: string) => cacheOf(name),
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    match: async (address: string) => {
      const { pathname } = new URL(address, host)
      return found([...kept.values()].map((paths) => paths.get(pathname)).find((text) => text !== undefined))
    },
  })
  vi.stubGlobal('self', {
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    skipWaiting: async () => {},
    clients: { claim: async () => {} },
  })
  // A worker starts anew for each test.
  await import(`../../src/portal/offline/worker.ts?${starts++}`)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function lifeCycle(type: 'install' | 'activate'): Promise<void> {
  let work: Promise<unknown> = Promise.resolve()
  listeners.get(type)!({
    waitUntil: (done: Promise<unknown>) => {
      work = done
    },
  })
  await work
}

/** Return what the worker answers, or undefined when it leaves the request to the browser. */
async function ask(path: string, mode = 'navigate'): Promise<string | undefined> {
  let answer: Promise<Response> | undefined
  listeners.get('fetch')!({
    request: { url: new URL(path, host).href, mode },
    respondWith: (response: Promise<Response>) => {
      answer = response
    },
  })
  return (await answer)?.text()
}

describe('the files', () => {
  it('of one release are kept, and those of another release go', async () => {
    kept.set('heatmark-files-old', new Map([['/portal/assets/index-0.js', 'old']]))
    await lifeCycle('install')
    await lifeCycle('activate')
    expect([...kept.keys()]).toEqual(['heatmark-files-one'])
    expect([...kept.get('heatmark-files-one')!.keys()]).toEqual(['/portal/', ...files])
  })

  it('are not taken over with a document of another release', async () => {
    network = async () => new Response(documentOf(2))
    await expect(lifeCycle('install')).rejects.toThrow('another release')
  })

  it('are not taken over when one is missing', async () => {
    network = async (path) => new Response('', { status: path.endsWith('.css') ? 404 : 200 })
    await expect(lifeCycle('install')).rejects.toThrow('missing')
  })

  it('are answered without the network', async () => {
    await lifeCycle('install')
    network = () => Promise.reject(new TypeError('no network'))
    expect(await ask(files[0]!, 'cors')).toBe(`text of ${files[0]}`)
  })
})

describe('the document', () => {
  const screen = '/portal/c/yard/saw'
  beforeEach(() => lifeCycle('install'))

  it('comes from the service', async () => {
    network = async () => new Response('the newest')
    expect(await ask(screen)).toBe('the newest')
  })

  it.each([
    ['there is no network', () => Promise.reject(new TypeError('no network'))],
    ['a proxy finds no service', async () => new Response('Bad Gateway', { status: 502 })],
  ])('is the kept one when %s', async (_, answer) => {
    network = answer
    expect(await ask(screen)).toBe(documentOf(1))
  })

  it('is the kept one when the network does not answer for four seconds', async () => {
    vi.useFakeTimers()
    network = () => new Promise(() => {})
    const asked = ask(screen)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await asked).toBe(documentOf(1))
  })
})

it.each([
  ['the API', '/api/me', 'cors'],
  ['the login', '/portal/login', 'navigate'],
  ['the end of the login', '/portal/callback?code=1', 'navigate'],
  ['another host', 'https://elsewhere.example/portal/c/yard/saw', 'navigate'],
])('leaves %s to the browser', async (_, path, mode) => {
  expect(await ask(path, mode)).toBeUndefined()
})
