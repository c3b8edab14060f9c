import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { extractText } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { plainName } from '../../../src/documents/plainName.ts'
import { typedName } from '../../../src/documents/typedName.ts'
import { productionPlanBarKey, productionPlanBarStream } from '../../../src/domain/bars/bar.ts'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { inTurns } from '../../../src/lib/inTurns.ts'
import { coverSheet } from '../../../src/proofs/orderPacks/coverSheet.ts'
import type { Original, PackContent } from '../../../src/proofs/orderPacks/facts.ts'
import { namesAnotherOrder } from '../../../src/proofs/orderPacks/history.ts'
import { type PackParts, writePack } from '../../../src/proofs/orderPacks/pack.ts'
import { bareCertificate, bareLine, bareOrder } from '../../domain/verdict/facts.ts'

/** The ZIP file of a pack, from facts that are at hand. */

const companyId = '00000000-0000-0000-0000-000000000001'
const orderId = '00000000-0000-0000-0000-000000000002'
const barId = '00000000-0000-0000-0000-000000000003'
const sheet = Buffer.from('%PDF-1.7 the sheet of the mill')
const original: Original = {
  documentId: 'document',
  uploadId: 'upload',
  millCertificationId: 'certificate',
  sha256: createHash('sha256').update(sheet).digest('hex'),
  bytes: sheet.length,
  mediaType: 'application/pdf',
  fileName: 'Zeugnis Łódź.pdf',
  path: 'certificates/001-Zeugnis-odz.pdf',
  attachedAt: '2026-03-01T08:00:00.000Z',
  attachedBy: 'planner',
  isKept: true,
}
const line = {
  lineItemId: 'line',
  ...bareLine({
    lineNumber: 10,
    description: 'Rafter, Łukasz & Gőz',
    grade: 'S355J2',
    lengthMm: 1_000,
    quantity: 1,
  }),
  status: 'Completed' as const,
}
const cut = {
  cutId: 'cut',
  cutOrdinal: 1,
  pieceMark: 'R 1',
  barId,
  planId: 'plan',
  planName: 'Week 17',
  barOrdinal: 1,
  barStatus: 'Completed' as const,
  held: false,
  markTransferred: true,
  lengthMm: 1_000,
  millCertificationId: 'certificate',
  certificateNumber: 'C-1',
  heatNumber: 'H-1',
  tags: [],
  findings: [],
}
const content: PackContent = {
  companyId,
  orderId,
  cutIds: null,
  position: 9,
  companyName: 'Beispiel',
  complete: true,
  order: {
    ...bareOrder,
    orderNumber: 'SO-1',
    customer: 'Kunde',
    executionClass: 'EXC2',
    requiredInspectionDocument: '3.1',
    lineItems: [line],
  },
  cleared: true,
  judgedBy: { verdict: 1, steelGrades: 1 },
  rulePacks: [],
  lines: [{ ...line, cuts: [cut], missing: [] }],
  overrides: [],
  certificates: [
    {
      ...bareCertificate,
      millCertificationId: 'certificate',
      certificateNumber: 'C-1',
      heatNumber: 'H-1',
      item: null,
      status: 'Released',
      documents: [original],
    },
  ],
  originals: [original],
}

const happened = (position: number, data: object): Recorded => ({
  id: `event ${position}`,
  streamName: productionPlanBarStream(productionPlanBarKey(companyId, barId)),
  revision: position,
  position,
  type: 'Sawn',
  data,
  metadata: null as never,
})
const partsOf = (events: readonly Recorded[] = [], object: Buffer | null = sheet): PackParts => ({
  content,
  at: new Date('2026-03-01T08:00:00Z'),
  proofs: {
    checkpoint: { size: 4, root: Buffer.alloc(32), note: 'note', position: 9 },
    inclusionOf: async (ids) => ids.map((_, index) => ({ index, hashes: ['hash'] })),
  },
  keys: [],
  eventStore: {
    async *readStream(stream) {
      yield* events.filter(({ streamName }) => streamName === stream)
    },
  },
  objects: {
    get: async () => (object ? { bytes: object.length, content: Readable.from([object]) } : undefined),
  },
  onProgress: () => {},
})
const sheetAt = { at: new Date('2026-03-01T08:00:00Z'), checkpoint: { size: 4, root: '' } }
const filesIn = async (parts: PackParts) => unzipSync(await buffer(writePack(parts)))
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes!).toString()

describe('a pack', () => {
  it('has equal bytes for equal facts', async () => {
    const [one, other] = [await buffer(writePack(partsOf())), await buffer(writePack(partsOf()))]
    expect(one.equals(other)).toBe(true)
    const changed = { ...partsOf(), content: { ...content, cleared: false } }
    expect(one.equals(await buffer(writePack(changed)))).toBe(false)
  })

  it('counts the pieces that are cut, and names them, their mark and their verdict in the words of the portal', async () => {
    const later = {
      ...cut,
      pieceMark: null,
      cutOrdinal: 2,
      barOrdinal: 3,
      barStatus: 'Approved' as const,
      markTransferred: false,
    }
    const lines = [
      { ...line, quantity: 3, cuts: [cut, { ...later, millCertificationId: null }], missing: [] },
    ]
    const pdf = await inTurns(coverSheet({ ...content, lines }, sheetAt))
    const { text } = await extractText(new Uint8Array(await buffer(pdf)), { mergePages: true })
    const words = text.replaceAll(/\s+/g, ' ')
    expect(words).toContain('Pieces cut 1 of 3')
    expect(words).toContain('Week 17 · 1 R 1, piece 1 1000 Completed H-1 C-1 transferred May be cut')
    expect(words).toContain('Week 17 · 3 piece 2 1000 Approved H-1 C-1 – Not known')
  })

  it('lets other work have its turn while it writes the sheet of a large order', async () => {
    const cuts = Array.from({ length: 100 }, (_, n) => ({ ...cut, cutId: `cut ${n}` }))
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await inTurns(coverSheet({ ...content, lines: [{ ...line, cuts, missing: [] }] }, sheetAt))
    isOver = true
    expect(turns).toBeGreaterThan(cuts.length)
  })

  it('has the originals as they were received, and a manifest of every file', async () => {
    const { 'manifest.json': manifest, ...files } = await filesIn(partsOf())
    expect(Buffer.from(files[original.path]!).equals(sheet)).toBe(true)
    const listed = (JSON.parse(textOf(manifest)) as { files: { path: string; sha256: string }[] }).files
    expect(listed.map(({ path }) => path)).toEqual(Object.keys(files))
    for (const { path, sha256 } of listed)
      expect(createHash('sha256').update(files[path]!).digest('hex')).toBe(sha256)
  })

  it('shows an event that names another order by its hash alone, and no later event at all', async () => {
    const own = happened(1, { cuts: [{ orderId }] })
    const foreign = happened(2, { cuts: [{ orderId }, { orderId: 'of another customer' }] })
    const files = await filesIn(partsOf([own, foreign, happened(10, { orderId })]))
    const history = textOf(files['data/history.ndjson'])
    expect(
      history
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one).id),
    ).toEqual([own.id])
    const proofs = textOf(files['proof/inclusion.ndjson']).trim().split('\n')
    expect(proofs.map((one) => JSON.parse(JSON.parse(one).entry).id)).toEqual([own.id, foreign.id])
    expect(Object.values(files).map(textOf).join()).not.toContain('of another customer')
    expect(JSON.parse(textOf(files['proof/streams.json']))).toEqual({ [own.streamName]: 2 })
  })

  it('says which certificate has no original', async () => {
    const without = content.certificates.map((one) => ({ ...one, documents: [] }))
    const files = await filesIn({
      ...partsOf(),
      content: { ...content, certificates: without, originals: [] },
    })
    const { missing } = JSON.parse(textOf(files['manifest.json']))
    expect(missing).toEqual(['Certificate C-1 of heat H-1 has no original.'])
  })

  it('says which original has been deleted since the moment that it shows', async () => {
    const deleted = content.certificates.map((one) => ({
      ...one,
      documents: [{ ...original, isKept: false }],
    }))
    const files = await filesIn({
      ...partsOf(),
      content: { ...content, certificates: deleted, originals: [] },
    })
    const { missing } = JSON.parse(textOf(files['manifest.json']))
    expect(missing).toEqual([
      'Certificate C-1 of heat H-1: the original “Zeugnis Łódź.pdf” has been deleted since.',
    ])
  })

  it.each([
    ['is lost', null],
    ['has changed', Buffer.from('%PDF-1.7 another sheet')],
  ])('is not written when an original %s', async (fault, object) => {
    await expect(buffer(writePack(partsOf([], object)))).rejects.toThrow(
      `the file of document document ("Zeugnis Łódź.pdf") ${fault}`,
    )
  })

  it('stops when its reader goes', async () => {
    const endless = Readable.from(
      (async function* () {
        for (;;) yield randomBytes(await pause(2, 1_000))
      })(),
    )
    const opened = Promise.withResolvers<void>()
    const get = async () => {
      opened.resolve()
      return { bytes: 1, content: endless }
    }
    const zip = writePack({ ...partsOf(), objects: { get } })
    zip.resume()
    await opened.promise
    zip.destroy()
    await new Promise((done) => endless.on('error', () => {}).once('close', done))
  })
})

it.each([
  ['../../etc/passwd', 'etc-passwd'],
  ['a\u0000b\r\nc.pdf', 'a-b-c.pdf'],
  ['Prüfzeugnis 3.1.pdf', 'Prufzeugnis-3.1.pdf'],
  ['...', 'file'],
  ['x'.repeat(300), 'x'.repeat(100)],
])('the name %j is %j in a pack', (name, plain) => expect(plainName(name)).toBe(plain))

it.each([
  ['Zeugnis.PDF', 'application/pdf', 'Zeugnis.PDF'],
  ['scan.jpeg', 'image/jpeg', 'scan.jpeg'],
  ['certificate.hta', 'application/pdf', 'certificate.hta.pdf'],
  ['certificate.pdf', 'application/xml', 'certificate.pdf.xml'],
  ['certificate', 'image/tiff', 'certificate.tif'],
  ['notes', 'constructor', 'notes'],
] as const)('the name %j of a file of the kind %s leaves the service as %j', (name, type, typed) =>
  expect(typedName(name, type)).toBe(typed),
)

it('another order is found at any depth', () => {
  expect(namesAnotherOrder({ orderId, findings: [{ orderId }] }, orderId)).toBe(false)
  expect(namesAnotherOrder({ findings: [{ subject: { orderId: 'other' } }] }, orderId)).toBe(true)
})
