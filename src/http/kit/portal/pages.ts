import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type RequestHandler, Router } from 'express'
import { nameOf, type Release } from '../../../lib/release.ts'
import { Problem, unavailable } from '../problem.ts'
import { type Coding, codingFor } from '../routing/contentCoding.ts'
import { send } from '../routing/respond.ts'

/**
 * Serves the built pages of the portal: one document for every address, the assets that it loads, and the service
 * worker, which keeps them for the saw.
 */

export interface Pages {
  /** The document, with placeholders for the nonce and the release. */
  readonly document: string
  readonly assets: ReadonlyMap<string, Asset>
  readonly worker: Buffer
}

interface Asset {
  readonly mediaType: string
  readonly plain: Buffer
  readonly coded: Readonly<Partial<Record<Coding, Buffer>>>
}

/** Read the built pages into memory. Return undefined when they were not built. */
export function readPages(folder: string): Pages | undefined {
  const document = join(folder, 'index.html')
  if (!existsSync(document)) return undefined
  const assets = join(folder, 'assets')
  const read = (name: string) => {
    const file = join(assets, name)
    return existsSync(file) ? readFileSync(file) : undefined
  }
  const names = readdirSync(assets).filter((name) => extname(name) in mediaTypes)
  return {
    document: readFileSync(document, 'utf8'),
    worker: readFileSync(join(folder, 'worker.js')),
    assets: new Map(
      names.map((name) => {
        const [br, gzip] = [read(`${name}.br`), read(`${name}.gz`)]
        const coded = { ...(br && { br }), ...(gzip && { gzip }) }
        return [name, { mediaType: mediaTypes[extname(name)]!, plain: read(name)!, coded }]
      }),
    ),
  }
}

/** Serve the pages under `/portal`. Without pages every address there is answered 503. */
export function servePages(pages: Pages | undefined, release: Release): Router {
  const router = Router({ caseSensitive: true })
  router.use((req, _res, next) => next(req.method === 'GET' || req.method === 'HEAD' ? undefined : 'router'))
  if (!pages) return router.use(noPages)
  router.use('/assets', serveAsset(pages))
  router.get('/worker.js', serveWorker(pages))
  router.use(serveDocument(pages, release))
  return router
}

function noPages(): never {
  throw unavailable(
    'portal-not-built',
    'The pages of the portal are missing in this installation. The API is not affected. An operator builds them with "npm run build:portal".',
  )
}

/** The name of an asset holds a hash of its content, so a browser may keep it for ever. */
function serveAsset({ assets }: Pages): RequestHandler {
  return async (req, res) => {
    const asset = assets.get(req.path.slice(1))
    if (!asset)
      throw new Problem(
        'not-found',
        'The portal has no such file: it may belong to another release. Load the page again.',
      )
    const coding = codingFor(req, asset.plain.length)
    const body = coding && asset.coded[coding]
    if (Object.keys(asset.coded).length > 0) res.vary('Accept-Encoding')
    if (body) res.setHeader('Content-Encoding', coding)
    await send(res, {
      status: 200,
      headers: {
        'Content-Type': asset.mediaType,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Referrer-Policy': 'same-origin',
      },
      body: body ?? asset.plain,
    })
  }
}

/** The worker reads from this service alone. A browser asks for it again with each page. */
function serveWorker({ worker }: Pages): RequestHandler {
  return async (_req, res) => {
    await send(res, {
      status: 200,
      headers: {
        'Content-Type': mediaTypes['.js']!,
        'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
        'Cache-Control': 'no-cache',
        'Referrer-Policy': 'same-origin',
      },
      body: worker,
    })
  }
}

/** The document holds no data, so it is open to everybody. */
function serveDocument({ document }: Pages, release: Release): RequestHandler {
  return async (_req, res) => {
    const nonce = randomBytes(16).toString('base64')
    await send(res, {
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policyWith(nonce),
        'Cache-Control': 'no-store',
        // With no-referrer, browsers would send "Origin: null" with forms.
        'Referrer-Policy': 'same-origin',
      },
      body: Buffer.from(document.replaceAll('{{nonce}}', nonce).replace('{{release}}', nameOf(release))),
    })
  }
}

/** The components put a small style sheet into the page, which the nonce allows. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
