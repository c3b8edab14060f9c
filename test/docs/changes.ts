/**
 * One change of each kind that docs/adding-a-field.md lists, as edits of the sources. All of them fit together, so that
 * one copy of the sources can take them all.
 */

/** A text of a file, and the text that takes its place. */
type Edit = readonly [before: string, after: string]
/** By the path of the file. A file that is new has its whole content. */
export type Edits = Readonly<Record<string, string | readonly Edit[]>>

export interface Change {
  /** As the table has it. */
  readonly name: string
  readonly files: Edits
  readonly texts: Edits
}

const [en, de] = ['src/portal/texts/en.ts', 'src/portal/texts/de.ts']

/** Add lines behind a text. */
function behind(anchor: string, added: string): Edit {
  return [anchor, `${anchor}\n${added}`]
}

function named(name: string, english: string, german: string): Edits {
  return {
    [en]: [behind('  ...findingTexts,', `  ${name}: '${english}',`)],
    [de]: [behind('string> = {', `  ${name}: '${german}',`)],
  }
}

const orderValue: Change = {
  name: 'A value of an order',
  files: {
    'src/domain/orders/orderContent.ts': [
      behind('  customer: orNull(text({ most: 200 })),', '  siteName: orNull(text({ most: 200 })),'),
    ],
    'src/imports/tables/orders.ts': [
      behind(
        "    customer: { headings: 'client kunde auftraggeber kundenname' },",
        "    siteName: { headings: 'site baustelle' },",
      ),
    ],
    'src/portal/screens/orders/OrderScreen.tsx': [
      behind(
        "          { name: t('customer'), value: order.customer },",
        "          { name: t('siteName'), value: order.siteName },",
      ),
    ],
  },
  texts: named('siteName', 'Site', 'Baustelle'),
}

const certificateValue: Change = {
  name: 'A value of a mill certificate',
  files: {
    'src/domain/certificates/certificateContent.ts': [
      behind('  manufacturer: orNull(text({ most: 200 })),', '  millOrder: orNull(text({ most: 50 })),'),
    ],
    'src/imports/tables/certificates.ts': [
      behind("    item: { headings: 'position pos posnr' },", "    millOrder: { headings: 'werksauftrag' },"),
    ],
    'src/portal/screens/certificates/CertificateScreen.tsx': [
      behind(
        "        { name: t('manufacturer'), value: certificate.manufacturer },",
        "        { name: t('millOrder'), value: certificate.millOrder },",
      ),
    ],
  },
  texts: named('millOrder', 'Order of the mill', 'Werksauftrag'),
}

const barEvent: Change = {
  name: 'An event on a bar',
  files: {
    'src/domain/bars/barEvents.ts': [
      behind(
        '/** Another bar is to be cut from the remnant of this one. */',
        "export type BarNoted = DomainEvent<'BarNoted', BarRef & { readonly note: string }>",
      ),
      behind('export type ProductionPlanBarEvent =', '  | BarNoted'),
      behind(
        "export const barEvents = eventsAbout<ProductionPlanBarEvent>('bar', 'barId', {",
        "  BarNoted: { bound: 'day', tell: ({ note }) => sentence('BarNoted', { note }) },",
      ),
    ],
    'src/domain/bars/bar.ts': [
      behind("  RemnantTaken: { from: ['Completed'] },", '  BarNoted: { from: barStatuses },'),
      behind('export interface OpenedBar extends BarRef, BarContent {', '  readonly note: string | null'),
      behind('    status: barTransitions.BarOpened.to,', '    note: null,'),
      behind('  switch (event.type) {', "    case 'BarNoted':\n      return { note: event.data.note }"),
    ],
    'src/domain/bars/barCorrections.ts': [
      behind(
        "/** Corrections of the floor's record: a step taken back, and a piece scrapped. */",
        `export function noteBar(bar: OpenedBar, note: string): readonly ProductionPlanBarEvent[] {
  return bar.note === note ? [] : [{ type: 'BarNoted', data: { ...refOf(bar), note } }]
}`,
      ),
    ],
    'src/commands/bars/barCorrections.ts': [
      behind('import {', '  noteBar as decideToNoteBar,'),
      behind(
        "/** Corrections of the floor's record: a step taken back, a bar cancelled, a piece scrapped. */",
        `export function noteBar(address: BarAddress, note: string): Command<BarRecord> {
  return onPlannedBar(address, { decide: (bar) => decideToNoteBar(bar, note) })
}
noteBar.refuses = refusals('bar-not-found')`,
      ),
    ],
    'src/http/bars/barCorrections.ts': [
      ['import { cancelBar, revertBar, scrapCut }', 'import { cancelBar, noteBar, revertBar, scrapCut }'],
      behind(
        'export const barCorrectionRoutes: Route[] = [',
        `  commandRoute({
    tag,
    access: { company: 'saw' },
    method: 'put',
    path: \`\${one}/note\`,
    operationId: 'noteBar',
    summary: 'Write a note on a bar',
    body: z.strictObject({ note: text(1, 500) }),
    command: ({ params, body }) => noteBar(params, body.note),
    ...barIfPreferred,
    conditional: true,
    problems: noteBar.refuses,
  }),`,
      ),
    ],
  },
  texts: {
    'src/domain/audit/historyTexts.ts': [
      behind(
        'const events = {',
        "  BarNoted: { en: 'A note was written: {note}', de: 'Eine Notiz wurde geschrieben: {note}' },",
      ),
    ],
    'src/portal/texts/happened.ts': [
      behind(
        'export const happenedInGerman: Readonly<Record<string, string>> = {',
        "  BarNoted: 'Notiz geschrieben',",
      ),
    ],
  },
}

const list: Change = {
  name: 'A list with a read model of its own',
  files: {
    'src/projections/bars/barOverrides.ts': `import type { FindingsOverridden } from '../../domain/bars/barEvents.ts'
import { bigint, defineProjection, table, text, timestamptz, uuid } from '../engine/projection.ts'
import { columnsOf, type ListQuery, listQuery, type Page } from '../engine/reading/listQuery.ts'
import type { Reading } from '../engine/reading/reader.ts'

/** The overrides of all bars. */

const override = table({
  columns: { companyId: uuid, position: bigint, barId: uuid, reason: text, writtenAt: timestamptz },
  key: ['companyId', 'position'],
})

export const barOverrides = defineProjection<FindingsOverridden>()({
  name: 'barOverrides',
  version: 1,
  tables: { override },
  handlers: {
    FindingsOverridden: {
      touches: ({ data, position }) => ({ override: [[data.companyId, position]] }),
      apply: (rows, { data: { companyId, barId, reason }, metadata, position }) =>
        rows.override.put({ companyId, position, barId, reason, writtenAt: metadata.occurredAt }),
    },
  },
})

export function listBarOverrides(reading: Reading, companyId: string, page?: Page): ListQuery {
  return listQuery(
    {
      select: columnsOf(override, 'o'),
      from: \`\${reading.table(barOverrides, 'override')} o\`,
      where: 'company_id = $1',
      values: [companyId],
      order: ['position'],
    },
    page,
  )
}
`,
    'src/projections/all.ts': [
      behind("import { log } from './audit/log.ts'", "import { barOverrides } from './bars/barOverrides.ts'"),
      behind('  production,', '  barOverrides,'),
    ],
    'src/http/bars/bars.ts': [
      behind(
        "import { lookUpsIn } from '../../projections/bars/lookUps.ts'",
        "import { barOverrides, listBarOverrides } from '../../projections/bars/barOverrides.ts'",
      ),
      behind(
        'export const productionPlanBarRoutes: Route[] = [',
        `  listRoute({
    ...reading,
    path: '/api/company/{companyId}/bar-overrides',
    operationId: 'listBarOverrides',
    summary: 'List the overrides of all bars',
    reads: [barOverrides],
    rows: (snapshot, { params }, page) => listBarOverrides(snapshot, params.companyId, page),
    sortKey: z.tuple([z.int()]),
    item: z.object({ companyId: uuid, position: z.int(), barId: uuid, reason: z.string(), writtenAt: z.string() }),
  }),`,
      ),
    ],
  },
  texts: {},
}

const screen: Change = {
  name: 'A screen of the portal',
  files: {
    'src/portal/screens/bars/OverridesScreen.tsx': `import { useList } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Page } from '../../kit/Page.tsx'
import { useTexts } from '../../texts/texts.ts'

export function OverridesScreen() {
  const { t } = useTexts()
  const { rows } = useList('listBarOverrides', { params: { companyId: useCompanyId() }, query: {} })
  return (
    <Page title={t('allOverrides')}>
      <ul className="lines">
        {rows?.map(({ position, reason }) => (
          <li key={position}>{reason}</li>
        ))}
      </ul>
    </Page>
  )
}
`,
    'src/portal/app/App.tsx': [
      behind(
        '// The first screen loads without the others.',
        `const OverridesScreen = lazy(async () => ({
  default: (await import('../screens/bars/OverridesScreen.tsx')).OverridesScreen,
}))`,
      ),
      [
        '      <Route path="/c/:companyId/audit">',
        '      <Route path="/c/:companyId/overrides">\n        <OverridesScreen />\n      </Route>\n      <Route path="/c/:companyId/audit">',
      ],
    ],
  },
  texts: named('allOverrides', 'Overrides', 'Freigaben'),
}

const finding: Change = {
  name: 'A finding of the verdict',
  files: {
    'src/domain/verdict/releasePolicy.ts': [behind('const defaultSeverities = {', "  'no-cuts': 'Flag',")],
    'src/domain/verdict/observations.ts': [
      behind(
        '    ...barObservations(facts, ofLines),',
        "    ...(facts.acceptedCuts.length === 0 ? [{ code: 'no-cuts', sentence: { text: 'no-cuts' } } as const] : []),",
      ),
    ],
    'src/domain/verdict/judgedBy.ts': [['const verdictVersion = 1', 'const verdictVersion = 2']],
  },
  texts: {
    [en]: [behind("ReleasePolicy['severities'], string>> = {", "  'no-cuts': 'No cuts',")],
    [de]: [behind('string> = {', "  'no-cuts': 'Keine Schnitte',")],
    'src/domain/verdict/findingTexts.ts': [
      behind('const findings = {', "  'no-cuts': { en: 'Plan a cut.', de: 'Planen Sie einen Schnitt.' },"),
    ],
    'docs/verdict.md': [
      [
        '| `no-certificate` |',
        '| `no-cuts` | Flag | No cut is planned. | | Plan one. |\n| `no-certificate` |',
      ],
    ],
  },
}

export const changes: readonly Change[] = [orderValue, certificateValue, barEvent, list, screen, finding]

/** Make these edits of a text. @throws Error for a text that is not there */
export function edited(path: string, text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`${path} lacks the text that a change builds on: ${from}`)
    return before.replace(from, () => to)
  }, text)
}
