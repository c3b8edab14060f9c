import type { GetResult, GetTask } from './getLoad.ts'
import { type MeasuredService, runLoad, withService } from './processes.ts'
import { type Figure, median } from './report.ts'

/** Measures GETs of the same answers without compression, in br and in gzip, over 16 connections. */

const section = 'compression'
const certificates = 1_000
const connections = 16
const seconds = 3
const rounds = 3
const codings = ['identity', 'br', 'gzip'] as const
type Coding = (typeof codings)[number]

export function compression(): Promise<Figure[]> {
  return withService(async (service) => {
    const company = `${service.url}/api/company/${service.dev.companyId}`
    const all = `${company}/millcert/certificates`
    const order = await prepare(service, company)
    const headers = { authorization: `Bearer ${await service.token('viewer')}` }
    const figures: Figure[] = []
    for (const [what, url] of [
      ['a list in memory', all],
      ['a page of 100, read each time', `${all}?limit=100`],
      ['an order of 20 lines, read each time', `${company}/orders/${order}`],
    ] as const)
      figures.push(...(await measure(what, url, headers)))
    return figures
  })
}

async function measure(what: string, url: string, headers: Record<string, string>): Promise<Figure[]> {
  const asking = (coding: Coding) => ({ ...headers, 'accept-encoding': coding })
  const results: Record<Coding, GetResult[]> = { identity: [], br: [], gzip: [] }
  for (let round = 0; round < rounds; round++)
    for (const coding of codings) {
      const task: GetTask = { url, headers: asking(coding), connections, seconds }
      results[coding].push(await runLoad<GetResult>('getLoad.ts', task))
    }
  const failed = Object.values(results)
    .flat()
    .reduce((sum, result) => sum + result.failed, 0)
  if (failed > 0) throw new Error(`${failed} requests failed`)
  const figures: Figure[] = []
  for (const coding of codings) {
    const response = await fetch(url, { headers: asking(coding) })
    const bytes = Number(response.headers.get('content-length'))
    await response.arrayBuffer()
    const perSecond = results[coding].map(({ perSecond }) => perSecond)
    figures.push({
      section,
      what: `${what}, ${coding}: ${bytes} bytes`,
      value: median(perSecond),
      unit: 'requests/s',
      ...(coding !== 'identity' && {
        ratio: {
          to: 'identity',
          value: median(perSecond.map((value, round) => value / results.identity[round]!.perSecond)),
        },
      }),
    })
  }
  return figures
}

/** Register certificates with all values, and an order. Return the id of the order. */
async function prepare({ token }: MeasuredService, company: string): Promise<string> {
  const chemistry = {
    C: 0.17,
    Si: 0.31,
    Mn: 1.42,
    P: 0.012,
    S: 0.004,
    N: 0.005,
    Cu: 0.02,
    Cr: 0.03,
    Ni: 0.02,
  }
  const mechanical = { reHMpa: 372, rmMpa: 541, a5Percent: 26.5, kvJoule: 61, kvTemperatureC: -20 }
  const lines = Array.from({ length: certificates }, (_, n) =>
    JSON.stringify({
      certificateNumber: `MC-${n}`,
      heatNumber: `H ${4_000 + (n % 150)}`,
      standard: 'EN 10025-2',
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
      manufacturer: 'Ostwerk',
      productForm: 'Plate',
      thicknessMm: 8 + (n % 20),
      issuedOn: '2026-03-01',
      chemistry: { ...chemistry, C: 0.1 + (n % 97) / 1_000, Mn: 1 + (n % 89) / 100 },
      mechanical: { ...mechanical, reHMpa: 355 + (n % 83), rmMpa: 490 + (n % 101) },
    }),
  )
  const lineItems = Array.from({ length: 20 }, (_, n) => ({
    lineNumber: n + 1,
    description: 'Column, first floor',
    grade: 'S355J2+N',
    profile: 'HEA 200',
    lengthMm: 2_000 + 37 * n,
    quantity: 1 + (n % 7),
  }))
  const post = async (path: string, body: string) => {
    const headers = {
      authorization: `Bearer ${await token('planner')}`,
      'content-type': 'application/x-ndjson',
    }
    const response = await fetch(`${company}/${path}/bulk`, { method: 'POST', headers, body })
    const [first] = (await response.text()).split('\n')
    return JSON.parse(first!).id as string
  }
  await post('millcert/certificates', lines.join('\n'))
  return post('orders', JSON.stringify({ orderNumber: 'SO-1', customer: 'Bridge & Beam', lineItems }))
}
