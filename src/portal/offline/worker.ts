/**
 * The service worker: without a network, a reload still shows the saw. It keeps the built files of one release, which
 * are the same for everybody, and nothing that the service answers about a company or a person.
 */

/** The builder writes it in front of this program. */
declare const release: {
  /** A hash of the files. */
  readonly id: string
  /** The paths of the files that the document loads, at once or later. */
  readonly files: readonly string[]
}

/** The members of a worker that the types of a page lack. */
interface Worker {
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void
  addEventListener(
    type: 'fetch',
    listener: (event: { readonly request: Request; respondWith(response: Promise<Response>): void }) => void,
  ): void
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
}

const worker = self as unknown as Worker
const cacheName = `heatmark-files-${release.id}`
/** All addresses of the portal have this document. */
const documentPath = '/portal/'
/** Milliseconds after which a network that does not answer counts as none. */
const silentForMs = 4_000

worker.addEventListener('install', (event) => event.waitUntil(keepFiles().then(() => worker.skipWaiting())))
worker.addEventListener('activate', (event) =>
  event.waitUntil(forgetOthers().then(() => worker.clients.claim())),
)
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.mode === 'navigate' && pathname.startsWith('/portal/c/'))
    event.respondWith(documentFor(request))
  else if (release.files.includes(pathname)) event.respondWith(fileFor(request))
})

/** @throws if a file is missing. The browser then tries again later, and goes on with the worker that it has. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll([documentPath, ...release.files])
  const text = (await (await cache.match(documentPath))?.text()) ?? ''
  const paths = [...text.matchAll(/"(\/portal\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  // Another node of the service may have another release.
  if (paths.length === 0 || !paths.every((path) => release.files.includes(path)))
    throw new Error('The document belongs to another release.')
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
}

/** With a network, the document is always the one of the service, so a page never begins with an old release. */
async function documentFor(request: Request): Promise<Response> {
  const answer = fetch(request).catch(() => undefined)
  const silence = new Promise<undefined>((resolve) => setTimeout(resolve, silentForMs))
  const response = await Promise.race([answer, silence])
  if (response && response.status < 500) return response
  return (await caches.match(documentPath)) ?? response ?? (await answer) ?? Response.error()
}

/** The name of a file holds a hash of its content. */
async function fileFor(request: Request): Promise<Response> {
  return (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request)
}
