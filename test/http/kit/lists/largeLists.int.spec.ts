import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { xlsxType } from '../../../../src/lib/sheets/xlsx.ts'
import { own } from '../../../support/own.ts'
import { sized } from '../../../support/size.ts'
import { startTestService } from '../../../support/testService.ts'
import { until } from '../../../support/until.ts'

/**
 * Lists that are too large to be held in memory. Their rows are put straight into the read model: how they
 * come there is not the matter here, and it takes a second instead of many minutes.
 */
const certificates = sized(20_000, 50_000)
const columns = `company_id, mill_certification_id, certificate_number, heat_number, certificate_key, heat_key, heat_near_key, standard,
  grade, inspection_document, manufacturer, product_form, thickness_mm, chemistry, mechanical, issued_on, registered_at,
  updated_at, updated_by, status, tag_ids, words, revision, from_position`
const path = (companyId = service.companyId) => `/api/company/${companyId}/millcert/certificates`

let schema: string

const service = await own(startTestService())
const database = await own(new pg.Client(service.settings.DATABASE_URL))
beforeAll(async () => {
  await database.connect()
  const { rows } = await database.query(
    `SELECT schemaname FROM pg_tables WHERE tablename = 'checkpoint' AND schemaname <> 'heatmark_local'`,
  )
  schema = rows[0].schemaname
  for (const companyId of [service.companyId, service.otherCompanyId])
    await database.query(
      `INSERT INTO "${schema}".certificate_1 (${columns})
     SELECT $1, gen_random_uuid(), 'MC-' || n, 'H', 'MC-' || n, 'H', 'H', 'EN 10025-2', 'S355J2+N', '3.1',
            'Hüttenwerk Beispiel', 'Plate', 12.5, '{"C":0.17,"Mn":1.4}', NULL, '2026-01-02', now(), now(), 'editor',
            'Received', '', '', 0, 0
     FROM generate_series(1, ${certificates}) n`,
      [companyId],
    )
  await database.query(`ANALYZE "${schema}".certificate_1`)
})

const ask = async (
  method = 'GET',
  headers = {},
  { oid = 'viewer', companyId = service.companyId } = {},
): Promise<IncomingMessage> => {
  const authorization = `Bearer ${await service.identity.token({ oid })}`
  const asked = request(service.url + path(companyId), {
    method,
    headers: { authorization, ...headers },
    agent: false,
  })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}
/** How many connections of the service hold a moment open. */
const momentsHeld = async (): Promise<number> => {
  const { rows } = await database.query(
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL`,
  )
  return Number(rows[0].count)
}

describe('a list of many megabytes', () => {
  it('is answered whole, in order, without an ETag, in little memory', async () => {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    const response = await ask()
    expect(response.statusCode).toBe(200)
    expect(response.headers.etag).toBeUndefined()
    expect(response.headers['content-length']).toBeUndefined()
    expect(Number(response.headers['read-position'])).toBeGreaterThan(0)
    let bytes = 0
    let rows = 0
    let text = ''
    let last = ''
    let peak = before
    for await (const chunk of response.setEncoding('utf8')) {
      bytes += Buffer.byteLength(chunk)
      peak = Math.max(peak, process.memoryUsage().rss)
      const parts = (text + chunk).split('"certificateNumber":"')
      for (const part of parts.slice(1, -1)) {
        const number = part.slice(0, part.indexOf('"'))
        expect(number > last).toBe(true)
        last = number
        rows += 1
      }
      text = parts.length > 1 ? `"certificateNumber":"${parts.at(-1)}` : parts[0]!
    }
    rows += text.split('"certificateNumber":"').length - 1
    expect(rows).toBe(certificates)
    expect(text.endsWith('}]')).toBe(true)
    expect(bytes).toBeGreaterThan(4 * 1_048_576)
    const grownMiB = (peak - before) / 1_048_576
    console.log(`${Math.round(bytes / 1_048_576)} MiB streamed, memory grew by ${Math.round(grownMiB)} MiB`)
    // This process is also the client, so the most of it is garbage of both.
    expect(grownMiB).toBeLessThan(256)
  })

  it('is valid JSON, and the same as its pages', async () => {
    const { body } = await service.send('viewer', 'GET', path())
    expect(body).toHaveLength(certificates)
    const page = await service.send('viewer', 'GET', `${path()}?limit=1000`)
    expect(page.body).toEqual(body.slice(0, 1_000))
    expect(page.headers.get('etag')).toMatch(/^"/)
    const next = /^<(.*)>; rel="next"$/.exec(page.headers.get('link')!)![1]!
    expect((await service.send('viewer', 'GET', next)).body).toEqual(body.slice(1_000, 2_000))
    const rest = await service.send('viewer', 'GET', next.replace('limit=1000&', ''))
    expect(rest.body).toEqual(body.slice(1_000))
  })

  it.each(['br', 'gzip'])('is compressed as it comes, in %s, in little memory', async (coding) => {
    const plain = await text(await ask())
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    const response = await ask('GET', { 'accept-encoding': coding })
    expect(response.headers).toMatchObject({
      'content-encoding': coding,
      vary: 'Accept, Accept-Language, Accept-Encoding',
    })
    expect(response.headers['content-length']).toBeUndefined()
    let bytes = 0
    response.on('data', (chunk) => {
      bytes += chunk.length
    })
    const decompressed = response.pipe(coding === 'br' ? createBrotliDecompress() : createGunzip())
    let at = 0
    let peak = before
    for await (const part of decompressed.setEncoding('utf8')) {
      if (plain.slice(at, at + part.length) !== part) throw new Error(`the list differs after ${at}`)
      at += part.length
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    expect(at).toBe(plain.length)
    expect(bytes).toBeLessThan(plain.length / 4)
    expect((peak - before) / 1_048_576).toBeLessThan(256)
  })

  it.each(['text/csv', xlsxType])('is streamed as %s in little memory', async (accept) => {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    const response = await ask('GET', { accept })
    expect(response.headers['content-length']).toBeUndefined()
    expect(response.headers['content-type']).toContain(accept)
    let lines = 0
    let peak = before
    for await (const part of response.setEncoding('latin1')) {
      lines += part.split('\n').length - 1
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    if (accept === 'text/csv') expect(lines).toBe(certificates + 1)
    expect((peak - before) / 1_048_576).toBeLessThan(256)
  })

  it.each(['identity', 'br'])('is not read for HEAD in %s', async (coding) => {
    const response = await ask('HEAD', { 'accept-encoding': coding })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json')
    expect(response.headers['content-encoding']).toBe(coding === 'br' ? coding : undefined)
    await until(async () => (await momentsHeld()) === 0)
  })

  it.each(['identity', 'gzip'])('stops when the client disconnects, in %s', async (coding) => {
    const response = await ask('GET', { 'accept-encoding': coding })
    await once(response, 'readable')
    expect(await momentsHeld()).toBeGreaterThan(0)
    response.destroy()
    await until(async () => (await momentsHeld()) === 0)
  })

  it.each(['identity', 'br', 'gzip'])(
    'breaks the connection when something fails on the way, in %s',
    async (coding) => {
      const response = await ask('GET', { 'accept-encoding': coding })
      await once(response, 'readable')
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL`,
      )
      const whole = await new Promise((resolve) => {
        response.on('data', () => {})
        response.on('end', () => resolve(response.complete))
        response.on('error', () => resolve(false))
      })
      expect(whole).toBe(false)
      const again = await ask()
      expect(again.statusCode).toBe(200)
      again.destroy()
    },
  )

  it('is there for a company while another one reads slowly and asks for more and more', async () => {
    const slow: IncomingMessage[] = []
    const refused: IncomingMessage[] = []
    // Two have their turn and ten may wait; a slow one may be let go meanwhile, and another have its turn.
    const asking = Array.from({ length: 20 }, async () => {
      const response = await ask().catch(() => undefined)
      if (response) (response.statusCode === 503 ? refused : slow).push(response.pause())
    })
    await until(() => slow.length >= 2 && refused.length >= 2)
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0)
    // On a slow machine, a request may wait too long before it is known how long the list is.
    const { code } = (await json(refused[0]!)) as { code: string }
    expect(['too-many-large-reads', 'too-busy']).toContain(code)

    const other = await ask('GET', {}, { oid: 'outsider', companyId: service.otherCompanyId })
    expect(await json(other)).toHaveLength(certificates)
    const all = Promise.all(asking)
    let answered = false
    void all.then(() => {
      answered = true
    })
    await until(() => {
      for (const response of [...slow, ...refused]) response.destroy()
      return answered
    })
  })

  it('streams a few at a time: the others wait their turn, and all are served', async () => {
    const drain = async (): Promise<number> => {
      const response = await ask()
      let bytes = 0
      for await (const chunk of response) bytes += chunk.length
      // A list that waited for its turn for long is asked for again.
      return response.headers['retry-after'] ? drain() : bytes
    }
    const sizes = new Set(await Promise.all(Array.from({ length: 5 }, drain)))
    expect(sizes.size).toBe(1)
    expect([...sizes][0]).toBeGreaterThan(certificates * 100)
  })

  it('has pages that end early where its records are very large', async () => {
    const megabyte = 1_048_576
    await database.query(
      `INSERT INTO "${schema}".certificate_1 (${columns})
       SELECT $1, gen_random_uuid(), 'A-' || n, 'H', 'A-' || lpad(n::text, 3, '0'), 'H', 'H',
              repeat('x', ${megabyte / 2}), 'S355', '3.1', NULL, NULL, NULL, NULL, NULL, NULL, now(), now(), 'editor',
            'Received', '', '', 0, 0
       FROM generate_series(1, 120) n`,
      [service.otherCompanyId],
    )
    let next: string | undefined = `${path(service.otherCompanyId)}?limit=150`
    const numbers: string[] = []
    const pages: number[] = []
    while (next && numbers.length < 120) {
      const { body, headers } = await service.send('outsider', 'GET', next)
      pages.push(body.length)
      numbers.push(...body.map(({ certificateNumber }: { certificateNumber: string }) => certificateNumber))
      next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(pages[0]).toBe(100)
    expect(numbers.slice(0, 120)).toEqual(Array.from({ length: 120 }, (_, n) => `A-${n + 1}`))
  })
})
