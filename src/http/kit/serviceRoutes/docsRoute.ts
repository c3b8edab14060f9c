import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import express, { Router } from 'express'
import { plainRoute } from '../routing/plainRoute.ts'
import { send } from '../routing/respond.ts'
import type { Route } from '../routing/route.ts'

/** `/docs`: the OpenAPI document as a page. All files come from this service. */

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Heatmark API</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`

/**
 * The page sends the client id and the secret in a header that needs a preflight. Identity providers take them in the
 * body as well, and a form needs none.
 */
const start = `function withSecretInBody(request) {
  const { Authorization: basic } = request.headers
  if (!/^Basic /.test(basic) || !/grant_type=client_credentials/.test(request.body)) return request
  const [id, ...secret] = atob(basic.slice('Basic '.length)).split(':')
  const credentials = new URLSearchParams({ client_id: id, client_secret: secret.join(':') })
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' }
  return Object.assign(request, { headers, body: request.body + '&' + credentials })
}

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  requestInterceptor: withSecretInBody,
  validatorUrl: null,
})
`
const files = ['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']

/** The page may load its own files, call this service and ask for a token. Its icons are in the style sheet. */
function policyWith(tokenUrl: string | undefined): string {
  const provider = tokenUrl ? ` ${new URL(tokenUrl).origin}` : ''
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'${provider}; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  )
}

/** @param tokenUrl returns the address where callers get tokens, as far as it is known */
export function docsRoute(tokenUrl: () => string | undefined): Route {
  return plainRoute({
    path: '/docs',
    operationId: 'getDocs',
    summary: 'Read the API documentation as a page',
    tag: 'Service',
    access: 'open',
    responses: { 200: { description: 'An HTML page.', mediaType: 'text/html' } },
    answer: async ({ res }) =>
      send(res, {
        status: 200,
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': policyWith(tokenUrl()),
          'Cache-Control': 'no-cache',
        },
        body: Buffer.from(page),
      }),
  })
}

/** Serve the files of the page under `/docs/`. */
export function docsFiles(): Router {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const router = Router()
  router.get('/', (_req, res) => res.redirect(308, '/docs'))
  router.get('/start.js', (_req, res) => {
    res.type('js').send(start)
  })
  router.use((req, _res, next) => next(files.includes(req.path) ? undefined : 'router'))
  router.use(express.static(folder, { index: false, maxAge: '1h' }))
  return router
}
