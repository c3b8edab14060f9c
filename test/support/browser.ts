/** A browser without scripts: it keeps cookies by host and path, ignoring ports, and follows redirects one by one. */

export interface Page {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Browser {
  /** Open an address, and follow all redirects. */
  open(url: string, init?: RequestInit): Promise<Page>
  /** Send one request with the cookies, and follow nothing. */
  send(url: string, init?: RequestInit): Promise<Response>
  /** Fill in and send the one form of a page, and follow all redirects. */
  submit(page: Page, fields?: Record<string, string>): Promise<Page>
  /** The cookies that a request to this address carries. */
  cookies(url: string): ReadonlyMap<string, string>
  /** The addresses that were opened, in order. */
  readonly visited: readonly string[]
}

interface Cookie {
  readonly host: string
  readonly path: string
  readonly name: string
  readonly value: string
}

/** The headers that only a page of the portal can send. */
export const fromPage = { 'sec-fetch-site': 'same-origin', 'heatmark-portal': '1' }

export function createBrowser(): Browser {
  const jar = new Map<string, Cookie>()
  const visited: string[] = []

  const keep = (url: URL, line: string) => {
    const [pair = '', ...attributes] = line.split(/;\s*/)
    const name = pair.slice(0, pair.indexOf('='))
    const given = new Map(
      attributes
        .map((text) => text.split('=') as [string, string])
        .map(([key, value]) => [key.toLowerCase(), value]),
    )
    const path = given.get('path') ?? '/'
    const key = `${url.hostname} ${path} ${name}`
    const isGone = given.get('max-age') === '0' || Date.parse(given.get('expires') ?? '') <= Date.now()
    if (isGone) jar.delete(key)
    else jar.set(key, { host: url.hostname, path, name, value: pair.slice(name.length + 1) })
  }

  const cookies: Browser['cookies'] = (address) => {
    const { hostname, pathname } = new URL(address)
    const sent = [...jar.values()].filter(
      ({ host, path }) => host === hostname && `${pathname}/`.startsWith(path === '/' ? '/' : `${path}/`),
    )
    return new Map(sent.map(({ name, value }) => [name, value]))
  }

  const send: Browser['send'] = async (address, init = {}) => {
    const headers = new Headers(init.headers)
    const cookie = [...cookies(address)].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookie && !headers.has('cookie')) headers.set('cookie', cookie)
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) keep(new URL(address), line)
    return response
  }

  const open: Browser['open'] = async (address, init) => {
    let url = address
    let response = await send(url, init)
    visited.push(url)
    for (let hops = 0; response.headers.has('location') && hops < 10; hops++) {
      url = new URL(response.headers.get('location')!, url).href
      response = await send(url, { headers: { accept: 'text/html' } })
      visited.push(url)
    }
    return { url, status: response.status, headers: response.headers, text: await response.text() }
  }

  return {
    open,
    send,
    cookies,
    visited,
    submit(page, fields = {}) {
      const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1]
      if (!action) throw new Error(`no form on ${page.url}: ${page.status} ${page.text.slice(0, 500)}`)
      const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
      const body = new URLSearchParams({
        ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
        ...fields,
      })
      return open(new URL(action, page.url).href, {
        method: 'POST',
        body,
        headers: { accept: 'text/html', origin: new URL(page.url).origin },
      })
    },
  }
}
