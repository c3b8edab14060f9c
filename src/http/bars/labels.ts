import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { heatOfSteel } from '../../domain/bars/heatOfSteel.ts'
import { type Fault, invalid } from '../../domain/kernel/refusal.ts'
import { type Label, labelPapers, writingLabels } from '../../lib/pdf/labels.ts'
import { openPdf } from '../../lib/pdf/page.ts'
import {
  findLabelledHeat,
  type LabelledBar,
  type LabelledHeat,
  labelledFrom,
  listLabelledBars,
} from '../../projections/bars/labelled.ts'
import type { Reading } from '../../projections/engine/reading/reader.ts'
import { baseUrlOf } from '../kit/baseUrl.ts'
import { limitParameter } from '../kit/lists/page.ts'
import { attachmentHeader } from '../kit/routing/attachment.ts'
import { waitUntilReached } from '../kit/routing/minPosition.ts'
import { readHeaders } from '../kit/routing/readRoute.ts'
import { send } from '../kit/routing/respond.ts'
import { id, type PathParams, paramsOf, type Route } from '../kit/routing/route.ts'
import { oneOf } from '../kit/schemas/fields.ts'

/** Labels for heats, bars and pieces, which the saw and the search of the portal read. */

const mostLabels = 1_000
export const labelContents = ['bars', 'pieces'] as const

const query = z.strictObject({
  millCertificationId: id.optional().meta({ description: 'A label with the heat of this certificate.' }),
  planId: id.optional().meta({ description: 'Labels for the bars of this plan.' }),
  barId: id.optional().meta({ description: 'A label for this bar.' }),
  of: oneOf(labelContents).default('bars').meta({
    description: '`pieces`: a label for each Accepted cut of the bars instead.',
  }),
  paper: oneOf(labelPapers).default('A4').meta({
    description: '`A4`: sheets of 24 labels with 70 × 37 mm. `roll62`: a page of 62 × 30 mm for each label.',
  }),
  copies: limitParameter('How many of each label.', 1),
})
type LabelsQuery = z.output<typeof query>

const declaration = {
  tag: 'Production plan bars',
  access: { company: 'view' },
  path: '/api/company/{companyId}/labels',
  operationId: 'getLabels',
  summary: 'Print labels with QR codes for a heat, for bars or for pieces',
  description: `Name a certificate, a plan or a bar. The code of a heat is its number. The code of a bar or piece is an address that ends with the bar's id. A file has at most ${mostLabels} labels.`,
} as const

const labelsRoute: Route = {
  ...declaration,
  method: 'get',
  params: paramsOf(declaration),
  query,
  headers: readHeaders.pick({ 'min-position': true }),
  body: undefined,
  responses: {
    200: {
      description: 'The labels.',
      mediaType: 'application/pdf',
      headers: ['Content-Disposition', 'Read-Position'],
    },
  },
  problems: [],
  async answer(exchange, services) {
    const { req, res, params } = exchange
    const { companyId } = params as PathParams<typeof declaration.path>
    const wanted = exchange.query as LabelsQuery
    const named = namedIn(wanted)
    await waitUntilReached(services, labelledFrom, exchange.headers['min-position'])
    const sawUrl = `${baseUrlOf(req, services.publicUrl)}/portal/c/${companyId}/saw`
    const {
      value: { name, labels: found },
      position,
    } = await services.reader.read(labelledFrom, (reading) =>
      labelsOf(reading, { companyId, ...wanted }, sawUrl),
    )
    await exchange.requireAccess()
    if (found.length === 0) throw invalid([faultOf(named, 'unknown-record', 'has nothing to put on a label')])
    const { copies = 1 } = wanted
    const count = copies * found.length
    if (count > mostLabels)
      throw invalid([
        faultOf(named, 'out-of-bounds', `gives ${count} labels, and a file has at most ${mostLabels}`),
      ])
    const labels = found.flatMap((label) => Array<Label>(copies).fill(label))
    const headers = {
      'Content-Type': 'application/pdf',
      'Content-Disposition': attachmentHeader(`labels-${name}.pdf`),
      'Read-Position': position,
    }
    // The same records give the same bytes, whenever they are printed.
    const pdf = openPdf({ title: 'Labels', author: 'Heatmark', at: new Date(0) })
    // A thousand labels take a second of the processor.
    await services.checks.run(exchange.caller!.id, writingLabels(pdf, wanted.paper, labels))
    pdf.end()
    await send(res, { status: 200, headers, body: await buffer(pdf) })
  },
}

export const labelRoutes: Route[] = [labelsRoute]

/** @throws Refusal 400 unless the request names in exactly one way what to label */
function namedIn({ millCertificationId, planId, barId, of }: LabelsQuery): string {
  // The label of a heat has no pieces.
  const pieces = millCertificationId !== undefined && of === 'pieces' ? of : undefined
  const given = { millCertificationId, planId, barId, of: pieces }
  const [first, other] = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : name))
  if (first === undefined)
    throw invalid([faultOf('millCertificationId', 'required', 'is required without planId or barId')])
  if (other !== undefined)
    throw invalid([faultOf(other, 'unknown-parameter', `must be left out beside ${first}`)])
  return first
}

function faultOf(parameter: string, code: Fault['code'], message: string): Fault {
  return { path: parameter, parameter, code, message }
}

/** The labels, and the name of their file. */
async function labelsOf(
  reading: Reading,
  { companyId, millCertificationId, planId, barId, of }: LabelsQuery & { readonly companyId: string },
  sawUrl: string,
): Promise<{ readonly name: string; readonly labels: readonly Label[] }> {
  if (millCertificationId !== undefined) {
    const heat = findLabelledHeat(reading, { companyId, millCertificationId })
    const heats = await reading.query<LabelledHeat>(heat)
    return { name: heats[0]?.heatNumber ?? '', labels: heats.map(heatLabel) }
  }
  const by = planId === undefined ? { barId: barId! } : { planId }
  const bars = await reading.query<LabelledBar>(listLabelledBars(reading, { companyId, ...by }))
  const label = of === 'bars' ? barLabel : pieceLabels
  const labels = bars.flatMap((bar) => label(bar, `${sawUrl}?bar=${bar.barId}`))
  const { planName = '', ordinal } = bars[0] ?? {}
  return { name: planId === undefined ? `${planName}-${ordinal}` : planName, labels }
}

function heatLabel({ heatNumber, certificateNumber, grade, manufacturer, profile }: LabelledHeat): Label {
  return {
    title: heatNumber,
    lines: present(grade, profile, certificateNumber, manufacturer),
    code: heatNumber,
  }
}

function barLabel(bar: LabelledBar, code: string): Label {
  const { planName, ordinal, grade, profile, stockLengthMm } = bar
  const title = heatOfSteel(bar) ?? `${ordinal}`
  return { title, lines: present(grade, profile, `${stockLengthMm} mm`, `${ordinal} · ${planName}`), code }
}

function pieceLabels(bar: LabelledBar, code: string): Label[] {
  const { planName, ordinal, grade, profile, pieces } = bar
  const heatNumber = heatOfSteel(bar)
  return pieces.map((piece) => {
    // A long name of a plan is cut off at its end.
    const name = `${ordinal} / ${piece.ordinal + 1} · ${planName}`
    const { pieceMark, orderNumber, lengthMm } = piece
    const steel = present(heatNumber, grade).join(' · ')
    const size = present(profile, `${lengthMm} mm`).join(' · ')
    const title = pieceMark ?? orderNumber ?? name
    const lines = present(orderNumber, steel, size, name).filter((line) => line !== title)
    return { title, lines, code }
  })
}

function present(...texts: readonly (string | null | undefined)[]): string[] {
  return texts.filter((text) => typeof text === 'string')
}
