import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../lib/html.ts'

/** HTML pages without scripts. */

const style = `
body { max-width: 60rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #222; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p { margin: 0 0 .5rem; }
code { font-size: .95em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd; }
`

/** The pages load nothing; only their own style is allowed. */
export const pagePolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** @param rows cells as HTML */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const lines = rows.map((cells) => line(cells, 'td')).join('\n')
  return `<table>\n<thead>${line(headings, 'th')}</thead>\n<tbody>\n${lines}\n</tbody>\n</table>`
}

/** @param items as HTML */
export function list(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`
}

export function page(title: string, body: string): string {
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
export function text(plain: string): string {
  return escapeHtml(plain).replace(/`([^`]*)`/g, '<code>$1</code>')
}
