import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import express, { type Response, Router } from 'express'

/** `/docs`: the OpenAPI document as a page, from files of our own machine; no other host is asked. */

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
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
const start = `SwaggerUIBundle({ url: '/openapi.json', domNode: document.getElementById('reference'), deepLinking: true, validatorUrl: null })
`
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** The page may load what it is made of, and call this service; the icons are in its style sheet. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const docs = (): Router => {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const router = Router()
  const send = (type: string, text: string) => (_: unknown, res: Response) => {
    res.type(type).send(text)
  }
  router.use((_req, res, next) => {
    res.setHeader('Content-Security-Policy', policy)
    next()
  })
  router.get('/', send('html', page))
  router.get('/start.js', send('js', start))
  router.use((req, _res, next) => next(files.includes(req.path.slice(1)) ? undefined : 'router'))
  router.use(express.static(folder, { index: false, etag: true, maxAge: '1h' }))
  return router
}
