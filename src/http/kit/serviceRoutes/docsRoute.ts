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
const start = `SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  validatorUrl: null,
})
`
const files = ['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']

/** The page may load its own files and call this service. Its icons are in the style sheet. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const docsRoute: Route = plainRoute({
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
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-cache',
      },
      body: Buffer.from(page),
    }),
})

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
