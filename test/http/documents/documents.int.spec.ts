import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type Answer,
  type ClientName,
  startTestService,
  type TestService,
} from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** Documents: upload, download, and the originals of mill certificates. */

let service: TestService
let clamd: Server
beforeAll(async () => {
  clamd = await startScanner()
  const { port } = clamd.address() as { port: number }
  service = await startTestService({ CLAMD_URL: `tcp://127.0.0.1:${port}` })
})
afterAll(async () => {
  await service.stop()
  clamd.close()
})
afterEach(() => vi.restoreAllMocks())

/** The test file that every scanner reports, put together here so that none reports this source. */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('-')

/** A scanner that speaks clamd's INSTREAM, and knows one virus. */
async function startScanner(): Promise<Server> {
  const server = createServer((socket) => {
    const received: Buffer[] = []
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      received.push(bytes)
      if (!bytes.subarray(-4).equals(Buffer.alloc(4))) return
      const content = contentIn(Buffer.concat(received))
      if (content) socket.end(content.includes(eicar) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Return what was sent by INSTREAM; undefined before its end. */
function contentIn(received: Buffer): Buffer | undefined {
  const content: Buffer[] = []
  for (let at = 'zINSTREAM\0'.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(content)
    content.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}

const pdf = (content: Buffer | string = randomBytes(40)) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(content), Buffer.from('\n%%EOF\n')])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const addressOf = (path: string, companyId = service.companyId) =>
  `${service.url}/api/company/${companyId}/${path}`
const tokenOf = (client: ClientName) => service.identity.token({ oid: client })

async function upload(
  bytes: Buffer,
  { query = '', headers = {}, client = 'planner' as ClientName, companyId = service.companyId } = {},
): Promise<Answer> {
  const response = await fetch(addressOf(`documents${query}`, companyId), {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: {
      authorization: `Bearer ${await tokenOf(client)}`,
      'content-type': 'application/pdf',
      ...headers,
    },
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function download(documentId: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(addressOf(`documents/${documentId}/content`), {
    method,
    headers: { authorization: `Bearer ${await tokenOf('viewer')}`, ...headers },
  })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

let certificates = 0
async function newCertificate(): Promise<string> {
  certificates += 1
  const { body } = await service.send('planner', 'POST', 'millcert/certificates', {
    body: {
      certificateNumber: `D-${certificates}`,
      heatNumber: 'H 1',
      grade: 'S355J2',
      inspectionDocument: '3.1',
    },
  })
  return body.millCertificationId
}

/** Every file under the folder of documents but the marker. */
function storedFiles(): string[] {
  const folder = service.documentsFolder
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'heatmark' && statSync(join(folder, name)).isFile())
    .sort()
}

describe('a document', () => {
  it('leaves the service under a name that ends as its kind, and keeps its own name', async () => {
    const stored = await upload(pdf(randomBytes(10)), { query: '?fileName=certificate.hta' })
    expect(stored.body.fileName).toBe('certificate.hta')
    const { headers } = await download(stored.body.documentId)
    expect(headers.get('content-disposition')).toBe('attachment; filename="certificate.hta.pdf"')
  })

  it('comes back byte by byte, whole and in parts', async () => {
    const bytes = pdf(randomBytes(300_000))
    const stored = await upload(bytes, { query: '?fileName=Zeugnis%20%C5%81%C3%B3d%C5%BA.pdf' })
    expect(stored.status).toBe(201)
    const { documentId } = stored.body
    expect(stored.body).toEqual({
      companyId: service.companyId,
      documentId,
      sha256: sha256(bytes),
      bytes: bytes.length,
      mediaType: 'application/pdf',
      fileName: 'Zeugnis Łódź.pdf',
      attachedTo: [],
      uploadedAt: expect.any(String),
      uploadedBy: 'planner',
    })
    expect(stored.headers.get('location')).toBe(`/api/company/${service.companyId}/documents/${documentId}`)
    const read = await service.send('viewer', 'GET', `documents/${documentId}`)
    expect(read.body).toEqual(stored.body)
    expect(read.headers.get('etag')).toBe(stored.headers.get('etag'))

    const whole = await download(documentId)
    expect(whole.status).toBe(200)
    expect(sha256(whole.bytes)).toBe(sha256(bytes))
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      etag: `"${sha256(bytes)}"`,
      'content-disposition': `attachment; filename="Zeugnis __d_.pdf"; filename*=UTF-8''Zeugnis%20%C5%81%C3%B3d%C5%BA.pdf`,
      'repr-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    for (const [range, first, last] of [
      ['bytes=0-9', 0, 9],
      ['bytes=65530-65600', 65_530, 65_600],
      ['bytes=-5', bytes.length - 5, bytes.length - 1],
      [`bytes=-${bytes.length + 1}`, 0, bytes.length - 1],
      [`bytes=${bytes.length - 1}-`, bytes.length - 1, bytes.length - 1],
    ] as const) {
      const part = await download(documentId, { range })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${first}-${last}/${bytes.length}`)
      expect(sha256(part.bytes)).toBe(sha256(bytes.subarray(first, last + 1)))
    }
  })

  it('is answered by the condition of the request', async () => {
    const bytes = pdf()
    const { documentId } = (await upload(bytes)).body
    const etag = `"${sha256(bytes)}"`
    const known = await download(documentId, { 'if-none-match': `"other", ${etag}` })
    expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, etag])
    expect((await download(documentId, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await download(documentId, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await download(documentId, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
    const beyond = await download(documentId, { range: `bytes=${bytes.length}-` })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
    expect(JSON.parse(String(beyond.bytes)).code).toBe('range-not-satisfiable')
    for (const range of ['bytes=0-1,5-6', 'pages=1-2', 'bytes=x'])
      expect((await download(documentId, { range })).status).toBe(200)
    for (const range of ['bytes=0-1', `bytes=${bytes.length}-`, undefined]) {
      const head = await download(documentId, range ? { range } : {}, 'HEAD')
      const { status, bytes: body } = head
      expect([status, body.length, head.headers.get('content-length')]).toEqual([
        200,
        0,
        String(bytes.length),
      ])
    }
  })

  it('is stored once in a company, and apart in each', async () => {
    const bytes = pdf()
    const first = await upload(bytes, { query: '?fileName=one.pdf' })
    const files = storedFiles()
    const again = await upload(bytes, { query: '?fileName=two.pdf', client: 'quality' })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('location')).toBeNull()
    expect(storedFiles()).toEqual(files)
    const { otherCompanyId } = service
    const elsewhere = await upload(bytes, { client: 'outsider', companyId: otherCompanyId })
    expect(elsewhere.status).toBe(201)
    expect(elsewhere.body.documentId).not.toBe(first.body.documentId)
    expect(storedFiles()).toHaveLength(files.length + 1)
  })

  it('is stored once when it arrives several times at the same moment', async () => {
    const bytes = pdf(randomBytes(100_000))
    const before = storedFiles()
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(bytes)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.documentId)).size).toBe(1)
    expect(storedFiles()).toHaveLength(before.length + 1)
    expect(sha256((await download(answers[0]!.body.documentId)).bytes)).toBe(sha256(bytes))
  })

  it('is answered once under an Idempotency-Key, which belongs to these bytes', async () => {
    const bytes = pdf()
    const headers = { 'idempotency-key': 'upload-17' }
    const first = await upload(bytes, { headers })
    const files = storedFiles()
    const again = await upload(bytes, { headers })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
    const other = await upload(pdf(), { headers })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency-key-reused'])
    expect(storedFiles()).toEqual(files)
  })

  it('is deleted when it is attached nowhere, and may be stored again', async () => {
    const bytes = pdf()
    const { documentId } = (await upload(bytes)).body
    const path = `documents/${documentId}`
    expect((await service.send('planner', 'DELETE', path)).status).toBe(204)
    expect((await service.send('planner', 'DELETE', path)).status).toBe(204)
    expect((await service.send('viewer', 'GET', path)).body.code).toBe('document-not-found')
    expect((await download(documentId)).status).toBe(404)
    const { body: listed } = await service.send('viewer', 'GET', 'documents')
    expect(listed.map((one: { documentId: string }) => one.documentId)).not.toContain(documentId)
    const again = await upload(bytes)
    expect([again.status, again.body.documentId]).toEqual([201, documentId])
    expect(sha256((await download(documentId)).bytes)).toBe(sha256(bytes))
    const { body: unknown } = await service.send('planner', 'DELETE', `documents/${service.companyId}`)
    expect(unknown.code).toBe('document-not-found')
  })

  it.each([
    [
      'image/png',
      Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex'),
      'png',
    ],
    ['image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb', 'hex'), 'jpeg'],
    ['image/tiff', Buffer.from('49492a00080000000000', 'hex'), 'tiff'],
    ['application/xml', Buffer.from('\uFEFF<?xml version="1.0"?><a/>'), 'xml'],
    ['application/xml', Buffer.from('  <certificate/>'), 'xml'],
    ['application/json', Buffer.from('{"RefSchemaUrl":"https://schemas.s1seven.com/"}'), 'json'],
  ])('may be %s', async (mediaType, bytes, ending) => {
    const { status, body } = await upload(bytes, { headers: { 'content-type': mediaType } })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({ mediaType, fileName: `document.${ending}` })
    expect((await download(body.documentId)).headers.get('content-type')).toBe(mediaType)
  })
})

describe('an upload', () => {
  let before: string[]
  const refused = async (bytes: Buffer, more: Parameters<typeof upload>[1], status: number, code: string) => {
    before = storedFiles()
    const answer = await upload(bytes, more)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(storedFiles()).toEqual(before)
    return answer.body
  }

  it.each([
    ['an EXE', Buffer.concat([Buffer.from('MZ\x90\0\x03'), randomBytes(5_000)])],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['text', Buffer.from('just text')],
    ['one byte', Buffer.from('%')],
  ])('of %s that is named .pdf is refused', async (_kind, bytes) => {
    const { detail } = await refused(bytes, { query: '?fileName=x.pdf' }, 415, 'unsupported-media-type')
    expect(detail).toContain('Content-Type says application/pdf')
  })

  it.each(['application/zip', 'text/html', 'application/pdf; charset=utf-16', ''])(
    'declared as %j is refused',
    async (type) => {
      await refused(pdf(), { headers: { 'content-type': type } }, 415, 'unsupported-media-type')
    },
  )

  it('without content is refused', async () => {
    const { errors } = await refused(Buffer.alloc(0), {}, 400, 'validation-failed')
    expect(errors).toMatchObject([{ path: '', code: 'required' }])
  })

  it('that is too large is refused, announced or not', async () => {
    const bytes = pdf(Buffer.alloc(25 * 1_048_576))
    await refused(bytes, {}, 413, 'body-too-large')
    before = storedFiles()
    const answer = await uploadInPieces(bytes)
    expect(answer).toMatchObject({ status: 413, body: { code: 'body-too-large' } })
    expect(storedFiles()).toEqual(before)
  })

  it('of the largest size is stored, announced or not', async () => {
    const largest = pdf(randomBytes(25 * 1_048_576 - pdf('').length))
    expect(largest.length).toBe(25 * 1_048_576)
    const { status, body } = await uploadInPieces(largest)
    expect(status).toBe(201)
    expect(body).toMatchObject({ bytes: largest.length, sha256: sha256(largest) })
    expect((await upload(largest)).status).toBe(200)
  })

  it('that breaks off leaves nothing', async () => {
    before = storedFiles()
    const req = request(addressOf('documents'), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokenOf('planner')}`,
        'content-type': 'application/pdf',
        'content-length': 1_000_000,
      },
    })
    req.on('error', () => {})
    req.write(pdf(randomBytes(200_000)))
    await until(() => storedFiles().length > before.length)
    req.destroy()
    await until(() => storedFiles().length === before.length)
    expect(storedFiles()).toEqual(before)
  })

  it('with another digest than its content is refused', async () => {
    const bytes = pdf()
    const digest = (of: Buffer) => `sha-256=:${createHash('sha256').update(of).digest('base64')}:`
    const { errors } = await refused(
      ...([bytes, { headers: { 'repr-digest': digest(pdf()) } }, 400, 'validation-failed'] as const),
    )
    expect(errors).toMatchObject([{ parameter: 'Repr-Digest', code: 'not-the-content' }])
    await refused(bytes, { headers: { 'repr-digest': 'sha-256=abc' } }, 400, 'validation-failed')
    const right = `sha-512=:ignored:, ${digest(bytes)}`
    expect((await upload(bytes, { headers: { 'repr-digest': right } })).status).toBe(201)
  })

  it('with a virus is refused, and leaves nothing', async () => {
    const { detail } = await refused(pdf(eicar), {}, 422, 'document-infected')
    expect(detail).toContain('Eicar-Signature')
  })

  it('is refused while the scanner is away', async () => {
    const { port } = clamd.address() as { port: number }
    clamd.close()
    await once(clamd, 'close')
    try {
      await refused(pdf(), {}, 503, 'documents-unavailable')
    } finally {
      clamd.listen(port, '127.0.0.1')
      await once(clamd, 'listening')
    }
    expect((await upload(pdf())).status).toBe(201)
  })

  it('is refused when the company has no room for it, unless the company has the file already', async () => {
    const known = pdf()
    const { documentId } = (await upload(known)).body
    const bounded = await service.startAnother({ DOCUMENTS_PER_COMPANY_MB: '1', IMPORTS_PER_COMPANY: '1' })
    const post = async (path: string, body: Buffer, type: string) => {
      const response = await fetch(`${bounded.url}/api/company/${service.companyId}/${path}`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { authorization: `Bearer ${await tokenOf('planner')}`, 'content-type': type },
      })
      return { status: response.status, body: await response.json() }
    }
    const large = pdf(randomBytes(1_048_576))
    expect(await post('documents', large, 'application/pdf')).toMatchObject({
      status: 409,
      body: { code: 'too-many-stored-bytes', limit: 1_048_576 },
    })
    expect(await post('documents', known, 'application/pdf')).toMatchObject({
      status: 200,
      body: { documentId },
    })
    expect(readdirSync(join(service.documentsFolder, 'incoming'))).toEqual([])

    const csv = Buffer.from('certificateNumber,heatNumber\nA,B')
    expect((await post('imports?kind=certificates', csv, 'text/csv')).status).toBe(200)
    expect(await post('imports?kind=certificates', csv, 'text/csv')).toMatchObject({
      status: 409,
      body: { code: 'too-many-imports', imports: 1, limit: 1 },
    })
    await bounded.stop()
  })

  it('is refused while deleted files, or its own deleted copies, take the room', async () => {
    const bounded = await service.startAnother({ DOCUMENTS_PER_COMPANY_MB: '1' })
    const path = (rest = '') => `${bounded.url}/api/company/${service.otherCompanyId}/documents${rest}`
    const authorization = `Bearer ${await tokenOf('outsider')}`
    const store = async (body: Buffer) => {
      const headers = { authorization, 'content-type': 'application/pdf' }
      const response = await fetch(path(), { method: 'POST', body: new Uint8Array(body), headers })
      const answer = (await response.json()) as { documentId: string; code?: string }
      return { status: response.status, ...answer }
    }
    const storeAndDelete = async (body: Buffer) => {
      const stored = await store(body)
      if (stored.status === 201)
        await fetch(path(`/${stored.documentId}`), { method: 'DELETE', headers: { authorization } })
      return stored.code ?? stored.status
    }
    const [one, other] = [pdf(randomBytes(300_000)), pdf(randomBytes(500_000))]
    expect([await storeAndDelete(one), await storeAndDelete(one)]).toEqual([201, 201])
    expect(await storeAndDelete(other)).toBe('too-many-stored-bytes')
    expect([await storeAndDelete(one), await storeAndDelete(one)]).toEqual([201, 'too-many-stored-bytes'])
    await bounded.stop()
  })

  it('waits while 8 files of the company arrive, and those of another company do not', async () => {
    const begin = async () => {
      const sent = request(addressOf('documents'), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await tokenOf('planner')}`,
          'content-type': 'application/pdf',
          'transfer-encoding': 'chunked',
        },
      })
      const answered = once(sent, 'response')
      sent.write(pdf(randomBytes(5_000)))
      return async () => {
        sent.end()
        const [response] = await answered
        response.resume()
        return response.statusCode
      }
    }
    const arriving = () => readdirSync(join(service.documentsFolder, 'incoming')).length
    const ends = await Promise.all(Array.from({ length: 11 }, begin))
    await until(() => arriving() === 8)
    const elsewhere = { client: 'outsider', companyId: service.otherCompanyId } as const
    expect((await upload(pdf(), elsewhere)).status).toBe(201)
    expect(arriving()).toBe(8)
    expect(await Promise.all(ends.map((end) => end()))).toEqual(Array(11).fill(201))
  })

  it('is refused while the disk is full, and leaves nothing', async () => {
    const handle = await open(join(service.documentsFolder, 'heatmark'))
    await handle.close()
    vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, fsync'), { code: 'ENOSPC' })
    })
    await refused(pdf(), {}, 507, 'documents-full')
  })

  it.each([
    '../../etc/passwd',
    '..%2F..%2Fetc%2Fpasswd',
    'a%5Cb.pdf',
    '..',
    '%20',
    'x%00.pdf',
    'x%0D%0ASet-Cookie:%20a=b.pdf',
    'x%E2%80%AEfdp.exe',
    'x%E2%81%A7.pdf',
    'x'.repeat(300),
  ])('named %s is refused', async (name) => {
    await refused(pdf(), { query: `?fileName=${name}` }, 400, 'validation-failed')
  })
})

/** Send a body whose length is not announced. */
async function uploadInPieces(bytes: Buffer) {
  const req = request(addressOf('documents'), {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf('planner')}`, 'content-type': 'application/pdf' },
  })
  const answered = once(req, 'response')
  for (let at = 0; at < bytes.length; at += 1_000_000) req.write(bytes.subarray(at, at + 1_000_000))
  req.end()
  const [res] = await answered
  let text = ''
  for await (const part of res.setEncoding('utf8')) text += part
  return { status: res.statusCode, body: JSON.parse(text) }
}

describe('the store of documents', () => {
  it('may be away: requests for files are answered 503, and all others as ever', async () => {
    const { documentId } = (await upload(pdf())).body
    const nowhere = { DOCUMENTS_URL: 's3://documents', DOCUMENTS_ENDPOINT: 'http://127.0.0.1:1' }
    const another = await service.startAnother({ ...nowhere, AWS_REGION: 'us-east-1' })
    const at = another.url
    const C = `${at}/api/company/${service.companyId}`
    const headers = { authorization: `Bearer ${await tokenOf('planner')}`, 'content-type': 'application/pdf' }
    try {
      const stored = await fetch(`${C}/documents`, { method: 'POST', headers, body: new Uint8Array(pdf()) })
      expect(stored.status).toBe(503)
      expect(stored.headers.get('retry-after')).toBe('1')
      expect(await stored.json()).toMatchObject({ code: 'documents-unavailable' })
      const content = await fetch(`${C}/documents/${documentId}/content`, { headers })
      expect(content.status).toBe(503)
      expect(content.headers.get('content-disposition')).toBeNull()
      for (const path of ['documents', `documents/${documentId}`, 'millcert/certificates', 'orders'])
        expect((await fetch(`${C}/${path}`, { headers })).status).toBe(200)
      const body = {
        certificateNumber: 'D-away',
        heatNumber: 'H',
        grade: 'S235JR',
        inspectionDocument: '3.1',
      }
      const registered = await service.send('planner', 'POST', 'millcert/certificates', { body, at })
      expect(registered.status).toBe(201)
      expect((await fetch(`${at}/health/ready`)).status).toBe(200)
    } finally {
      await another.stop()
    }
  })

  it('says so when the file of a document is missing', async () => {
    const { documentId, sha256: hash } = (await upload(pdf())).body
    rmSync(join(service.documentsFolder, service.companyId, hash), { recursive: true })
    const { status, bytes } = await download(documentId)
    expect([status, JSON.parse(String(bytes)).code]).toEqual([503, 'documents-unavailable'])
  })

  it('is of one event store: a service of another one does not start', async () => {
    const marker = join(service.documentsFolder, 'heatmark')
    writeFileSync(marker, '{"storeId":"another"}\n')
    await expect(service.startAnother()).rejects.toThrow('belong to the event store another')
  })
})

describe('the documents of a mill certificate', () => {
  it('are attached, listed and detached, and the history tells', async () => {
    const millCertificationId = await newCertificate()
    const path = `millcert/certificates/${millCertificationId}`
    const [one, two] = [(await upload(pdf())).body, (await upload(pdf())).body]
    const attached = await service.send('quality', 'PUT', `${path}/documents/${one.documentId}`)
    expect(attached.status).toBe(200)
    const { documentId, sha256: hash, bytes, mediaType, fileName } = one
    expect(attached.body.documents).toEqual([
      {
        documentId,
        sha256: hash,
        bytes,
        mediaType,
        fileName,
        attachedAt: expect.any(String),
        attachedBy: 'quality',
      },
    ])
    expect(attached.body.updatedAt).toBe(attached.body.documents[0].attachedAt)
    const read = await service.send('viewer', 'GET', path)
    expect(read.body).toEqual(attached.body)
    expect(read.headers.get('etag')).toBe(attached.headers.get('etag'))
    const again = await service.send('planner', 'PUT', `${path}/documents/${one.documentId}`)
    expect(again.body).toEqual(attached.body)
    await service.send('planner', 'PUT', `${path}/documents/${two.documentId}`)
    const { body: shown } = await service.send('viewer', 'GET', `documents/${one.documentId}`)
    expect(shown.attachedTo).toEqual([millCertificationId])

    const refused = await service.send('planner', 'DELETE', `documents/${one.documentId}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'document-attached'])
    expect(refused.body.millCertificationIds).toEqual([millCertificationId])

    for (const _ of ['once', 'again'])
      expect((await service.send('planner', 'DELETE', `${path}/documents/${one.documentId}`)).status).toBe(
        204,
      )
    const { body: after } = await service.send('viewer', 'GET', path)
    expect(after.documents.map((left: { documentId: string }) => left.documentId)).toEqual([two.documentId])
    expect((await service.send('planner', 'DELETE', `documents/${one.documentId}`)).status).toBe(204)
    const { body: gone } = await service.send('planner', 'PUT', `${path}/documents/${one.documentId}`)
    expect(gone.code).toBe('document-not-found')

    const { body: history } = await service.send('auditor', 'GET', `${path}/history`)
    expect(history.map(({ kind }: { kind: string }) => kind)).toEqual([
      'DocumentDetached',
      'DocumentAttached',
      'DocumentAttached',
      'MillCertificateRegistered',
    ])
    expect(history[0].message).toBe(`The document "${fileName}" (SHA-256 ${hash}) was detached.`)
    expect(history[1].changes).toMatchObject([{ field: 'documents', from: null }])
  })

  it('keep a document that is attached at the moment when it is deleted', async () => {
    const millCertificationId = await newCertificate()
    const path = `millcert/certificates/${millCertificationId}`
    for (let round = 0; round < 5; round += 1) {
      const { documentId } = (await upload(pdf())).body
      const [attached, deleted] = await Promise.all([
        service.send('planner', 'PUT', `${path}/documents/${documentId}`),
        service.send('planner', 'DELETE', `documents/${documentId}`),
      ])
      const isAttached = attached.status === 200
      expect([200, 404]).toContain(attached.status)
      expect([204, 409]).toContain(deleted.status)
      expect(isAttached || deleted.status === 204).toBe(true)
      expect((await download(documentId)).status).toBe(isAttached ? 200 : 404)
    }
  })
})
