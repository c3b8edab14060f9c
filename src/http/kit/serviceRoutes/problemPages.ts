import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../lib/html.ts'
import type { ProblemCode } from '../../../problems/catalogue.ts'
import { faultMeanings } from '../../../problems/faults.ts'

/** The catalogue of problem codes as HTML pages without scripts. */

/** One code of the catalogue, as `/problems` answers it. */
export interface ExplainedProblem {
  readonly code: ProblemCode
  readonly type: string
  readonly status: number
  readonly title: string
  readonly meaning: string
  readonly occurs: string
  readonly remedy: string
  /** The JSON Schemas of the members besides the standard ones. */
  readonly members: Readonly<Record<string, Json>>
}

type Json = Readonly<Record<string, unknown>>

const style = `
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #222; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p { margin: 0; }
code { font-size: .95em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd; }
`

/** The pages load nothing; only their own style is allowed. */
export const pagePolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function listPage(problems: readonly ExplainedProblem[]): string {
  const rows = problems.map(
    ({ code, status, title }) =>
      `<tr><td>${status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${text(title)}</td></tr>`,
  )
  return page(
    'Problem codes',
    `<p>Every refused request is answered with a problem document (RFC 9457). Its member <code>code</code> is one of
these. Codes are only ever added.</p>
${table(['Status', 'Code', 'Title'], rows)}`,
  )
}

export function problemPage({
  code,
  status,
  title,
  meaning,
  occurs,
  remedy,
  members,
}: ExplainedProblem): string {
  const sections = [
    ['Meaning', meaning],
    ['When it occurs', occurs],
    ['What to do', remedy],
  ].map(([heading, said]) => `<h2>${heading}</h2>\n<p>${text(said!)}</p>`)
  const rows = Object.entries(members).map(
    ([name, schema]) =>
      `<tr><td><code>${name}</code></td><td>${text(String(schema.description ?? ''))}</td></tr>`,
  )
  const kinds = Object.entries(faultMeanings).map(
    ([kind, meant]) => `<tr><td><code>${kind}</code></td><td>${text(meant)}</td></tr>`,
  )
  const faults =
    code === 'validation-failed' ? ['<h2>Codes of faults</h2>', table(['Code', 'Meaning'], kinds)] : []
  const more = rows.length > 0 ? [`<h2>Further members</h2>`, table(['Member', 'Content'], rows)] : []
  return page(
    title,
    [
      `<p>Status ${status}, code <code>${code}</code></p>`,
      ...sections,
      ...more,
      ...faults,
      '<h2>Other codes</h2>\n<p><a href="/problems">All problem codes</a> · <a href="/docs">API reference</a></p>',
    ].join('\n'),
  )
}

function table(headings: readonly string[], rows: readonly string[]): string {
  const head = headings.map((heading) => `<th>${heading}</th>`).join('')
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} – Heatmark</title>
<style>${style}</style>
</head>
<body>
<h1>${text(title)}</h1>
${body}
</body>
</html>
`
}

/** Escape text, and show what stands in backquotes as code. */
function text(plain: string): string {
  return escapeHtml(plain).replace(/`([^`]*)`/g, '<code>$1</code>')
}
