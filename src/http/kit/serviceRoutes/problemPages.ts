import type { ProblemCode } from '../../../problems/catalogue.ts'
import { faultMeanings } from '../../../problems/faults.ts'
import { page, table, text } from './htmlPage.ts'

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

export function listPage(problems: readonly ExplainedProblem[]): string {
  const rows = problems.map(({ code, status, title }) => [
    String(status),
    `<a href="/problems/${code}"><code>${code}</code></a>`,
    text(title),
  ])
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
  const rows = Object.entries(members).map(([name, schema]) => [
    `<code>${name}</code>`,
    text(String(schema.description ?? '')),
  ])
  const kinds = Object.entries(faultMeanings).map(([kind, meant]) => [`<code>${kind}</code>`, text(meant)])
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
