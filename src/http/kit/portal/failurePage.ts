import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../lib/html.ts'
import { declarationOf } from '../../../problems/catalogue.ts'
import type { Problem } from '../problem.ts'

const style = `
:root { color-scheme: light dark; }
html { background: light-dark(#f4f5f7, #16181c); }
body { max-width: 30rem; margin: 15vh auto 0; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1c1f24, #e8eaed); }
h1 { font-size: 1.5rem; }
a { color: light-dark(#1a54ab, #8ab4f8); }
small { color: light-dark(#5b616b, #a5abb5); }
`

const policy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Return a page that tells a person why a login failed, and leads back to its beginning. */
export function failurePage(
  problem: Problem,
  traceId: string,
): { readonly html: string; readonly headers: Readonly<Record<string, string>> } {
  const title = escapeHtml(declarationOf(problem.code).title)
  return {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Heatmark</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escapeHtml(problem.message)}</p>
<p><a href="/portal/login">Log in again</a></p>
<p><small>${escapeHtml(problem.code)}, trace ${escapeHtml(traceId)}</small></p>
</main>
</body>
</html>
`,
  }
}
