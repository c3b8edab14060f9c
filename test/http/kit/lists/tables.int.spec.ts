import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { contentOf } from '../../../../src/imports/content.ts'
import { readFile } from '../../../../src/imports/read.ts'
import { readXlsx } from '../../../../src/imports/tables/xlsx.ts'
import { xlsxType } from '../../../../src/lib/sheets/xlsx.ts'
import { own } from '../../../support/own.ts'
import { startTestService } from '../../../support/testService.ts'

/** Lists are answered as tables, too. */

const service = await own(startTestService())
beforeAll(async () => {
  const answers = await Promise.all(
    [first, second].map((body) => service.send('planner', 'POST', 'millcert/certificates', { body })),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
})

const first = {
  certificateNumber: 'MC-1',
  heatNumber: '=4711',
  grade: 'S355J2+N',
  inspectionDocument: '3.1',
  manufacturer: 'Hütte; Süd, "Nord"',
  thicknessMm: 12.5,
  chemistry: { C: 0.15, Zn: 0.01 },
  mechanical: { reHMpa: 371, kvTemperatureC: -20 },
}
const second = { certificateNumber: 'MC-2', heatNumber: 'H2', grade: 'S235JR', inspectionDocument: '2.2' }

const list = () => `${service.url}/api/company/${service.companyId}/millcert/certificates`

async function get(accept: string, query = '', headers: Record<string, string> = {}) {
  const authorization = `Bearer ${await service.identity.token({ oid: 'viewer' })}`
  return fetch(list() + query, { headers: { authorization, accept, ...headers } })
}

describe('a list', () => {
  it('is CSV on request, with a column for each value, and formulas escaped', async () => {
    const answer = await get('text/csv')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="certificates.csv"')
    expect(answer.headers.get('vary')).toContain('Accept')
    const rows = parse(await answer.text(), { columns: true }) as Record<string, string>[]
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({
      certificateNumber: 'MC-1',
      heatNumber: "'=4711",
      manufacturer: first.manufacturer,
      thicknessMm: '12.5',
      'chemistry.C': '0.15',
      chemistry: '{"Zn":0.01}',
      'mechanical.kvTemperatureC': '-20',
      blocked: 'false',
      tags: '[]',
    })
  })

  it('is CSV with semicolons and decimal commas on request', async () => {
    const bytes = Buffer.from(await (await get('text/csv', '?separator=semicolon')).arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const [row] = parse(bytes, { columns: true, delimiter: ';', bom: true }) as Record<string, string>[]
    expect(row).toMatchObject({ thicknessMm: '12,5', 'chemistry.C': '0,15' })
    expect((await get('text/csv', '?separator=tab')).status).toBe(400)
  })

  it('is a spreadsheet on request', async () => {
    const answer = await get(xlsxType)
    expect(answer.headers.get('content-type')).toBe(xlsxType)
    const [headings, row] = await readXlsx(Buffer.from(await answer.arrayBuffer()))
    const at = (heading: string) => row!.cells[headings!.cells.indexOf(heading)]
    expect([at('heatNumber'), at('thicknessMm'), at('chemistry.C')]).toEqual(["'=4711", 12.5, 0.15])
  })

  it('is imported again with the same values', async () => {
    for (const separator of ['comma', 'semicolon']) {
      const bytes = Buffer.from(await (await get('text/csv', `?separator=${separator}`)).arrayBuffer())
      const read = []
      for await (const row of readFile({ kind: 'certificates', format: 'csv', bytes }))
        read.push(contentOf(row))
      expect(read).toEqual([first, second])
    }
  })

  it('has pages and an ETag as a table, too', async () => {
    const page = await get('text/csv', '?limit=1')
    expect(parse(await page.text())).toHaveLength(2)
    expect(page.headers.get('link')).toContain('rel="next"')
    const etag = page.headers.get('etag')!
    expect((await get('text/csv', '?limit=1', { 'if-none-match': etag })).status).toBe(304)
    expect((await get('application/json', '?limit=1', { 'if-none-match': etag })).status).toBe(200)
  })

  it('is JSON unless something else is asked for', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html, */*;q=0.8', 'image/png'])
      expect((await get(accept)).headers.get('content-type')).toMatch(/^application\/json/)
  })
})
