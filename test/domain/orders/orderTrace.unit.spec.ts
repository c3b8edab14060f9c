import { describe, expect, it } from 'vitest'
import {
  clearanceOf,
  missingOf,
  type TracedBar,
  type TracedCut,
  type TracedLineItem,
  type TraceFacts,
  traceOrder,
} from '../../../src/domain/orders/orderTrace.ts'
import { judgedBy } from '../../../src/domain/verdict/judgedBy.ts'
import { defaultReleasePolicy } from '../../../src/domain/verdict/releasePolicy.ts'
import { tell } from '../../../src/domain/verdict/sentence.ts'
import { judge } from '../../../src/domain/verdict/verdict.ts'
import {
  aloneInHeat,
  type JudgedOrder,
  type NamedCertificate,
} from '../../../src/domain/verdict/verdictFacts.ts'
import { judgedCertificate, judgedLine, judgedOrder } from '../verdict/judged.ts'

const cut = (cutId: string, changed: Partial<TracedCut> = {}): TracedCut => ({
  cutId,
  ordinal: 1,
  barId: 'bar 1',
  orderId: 'order',
  lineItemId: 'line 10',
  lengthMm: 2_000,
  pieceMark: null,
  ...changed,
})
const bar = (barId: string, changed: Partial<TracedBar> = {}): TracedBar => ({
  barId,
  planId: 'plan',
  planName: 'Week 17',
  ordinal: 1,
  status: 'Completed',
  grade: 'S355J2',
  profile: null,
  millCertificationId: 'certificate',
  heatRead: null,
  markTransferred: false,
  stop: null,
  overrides: [],
  ...changed,
})
const line = (
  lineNumber: number,
  quantity: number,
  changed: Partial<TracedLineItem> = {},
): TracedLineItem => ({
  lineItemId: `line ${lineNumber}`,
  lineNumber,
  lengthMm: 2_000,
  quantity,
  cancelled: false,
  status: 'Completed',
  pieces: null,
  ...changed,
})
const certificate: NamedCertificate = {
  ...judgedCertificate,
  manufacturer: null,
  certificateNumber: 'C-1',
  heatNumber: 'H-1',
  sameHeat: aloneInHeat,
}
const lineOf = (lineNumber: number, grade = 'S355J2') => ({
  ...judgedLine,
  lineItemId: `line ${lineNumber}`,
  lineNumber,
  grade,
  lengthMm: 2_000,
  quantity: 1,
})
const order: JudgedOrder = { ...judgedOrder, lineItems: [lineOf(10), lineOf(20)] }
const facts: TraceFacts = {
  orderId: 'order',
  orderNumber: 'SO-1',
  blocked: false,
  pieceMark: null,
  lineItems: [line(10, 1), line(20, 1)],
  bars: [bar('bar 1')],
  cuts: [cut('a'), cut('b', { lineItemId: 'line 20' })],
  certificates: [certificate],
  orders: [order],
  policy: null,
  pairRules: [],
}
const cracked = { tagId: 'tag', name: 'Cracked', severity: 'Block' } as const
const withTag = { ...facts, certificates: [{ ...certificate, tags: [cracked] }] }
const cutsInOrderOf = (bars: readonly TracedBar[]) => bars.map(({ barId }) => cut(`on ${barId}`, { barId }))
const findings = (audited: ReturnType<typeof traceOrder>) =>
  audited.lineItems.map(({ cuts }) => cuts.map((one) => one.findings.map(({ code }) => code)))

describe('the parts that a line item lacks', () => {
  const on = (changed: object = {}) => ({
    barId: 'bar 1',
    planName: 'Week 17',
    barOrdinal: 1,
    barStatus: 'Completed' as const,
    held: false,
    lengthMm: 2_000,
    millCertificationId: 'certificate',
    ...changed,
  })

  it('are none when every piece is cut from a Completed bar with a certificate', () =>
    expect(missingOf({ ...line(10, 2), cuts: [on(), on(), on()] })).toStrictEqual([]))

  it('are pieces, Completed bars and certificates, each said in words', () => {
    const started = { barStatus: 'Started' }
    const draft = { barId: 'bar 2', barOrdinal: 2, barStatus: 'Draft', millCertificationId: null }
    const bare = { barId: 'bar 3', barOrdinal: 3, millCertificationId: null }
    expect(
      missingOf({
        ...line(10, 6, { status: 'In Progress' }),
        cuts: [on(started), on(draft), on(bare), on(draft)],
      }).map(({ message }) => message),
    ).toStrictEqual([
      'Pieces with an Accepted cut of this length: 4 of 6.',
      '1 piece is on bar 1 of plan "Week 17", which is Started, not Completed.',
      '2 pieces are on bar 2 of plan "Week 17", which is Draft, not Completed.',
      'Bar 2 of plan "Week 17" has no mill certificate.',
      'Bar 3 of plan "Week 17" has no mill certificate.',
    ])
  })
})

describe('the pieces of a Completed line', () => {
  it('lack those that are too short, and say that the roll-up counts them', () => {
    const short = traceOrder({
      ...facts,
      cuts: [cut('a', { lengthMm: 1_900 }), cut('b', { lineItemId: 'line 20' })],
    })
    expect(short).toMatchObject({ blocked: true, complete: false })
    expect(short.lineItems[0]).toMatchObject({
      status: 'Completed',
      missing: [
        { message: '1 piece is shorter than 2000 mm: bar 1 of plan "Week 17".' },
        { message: 'Pieces with an Accepted cut of this length: 0 of 1.' },
        {
          message:
            'The line is Completed all the same, because each of its Accepted cuts is on a Completed bar.',
        },
      ],
    })
    expect(findings(short)).toEqual([[['cut-too-short']], [[]]])
  })
})

describe('an order', () => {
  it('is complete and cleared when nothing is missing and nothing stands against it', () => {
    const { lineItems, ...said } = traceOrder(facts)
    expect(said).toStrictEqual({
      orderId: 'order',
      orderNumber: 'SO-1',
      blocked: false,
      complete: true,
      cleared: true,
      overrides: [],
      judgedBy,
    })
    expect(lineItems[0]).toStrictEqual({
      lineItemId: 'line 10',
      lineNumber: 10,
      cancelled: false,
      status: 'Completed',
      missing: [],
      pieces: { required: 1, planned: 0, cut: 0, scrapped: 0, dispatched: 0, tooShort: 0 },
      cuts: [
        {
          cutId: 'a',
          pieceMark: null,
          barId: 'bar 1',
          planId: 'plan',
          planName: 'Week 17',
          cutOrdinal: 1,
          barOrdinal: 1,
          barStatus: 'Completed',
          held: false,
          markTransferred: false,
          lengthMm: 2_000,
          millCertificationId: 'certificate',
          certificateNumber: 'C-1',
          heatNumber: 'H-1',
          tags: [],
          findings: [],
        },
      ],
    })
  })

  it('is blocked by a piece of a bar that was completed in spite of a Block', () => {
    const stop = { by: 'cutter', at: '2026-04-20T08:00:00.000Z', reason: null, findings: [] }
    expect(traceOrder({ ...facts, bars: [bar('bar 1', { stop })] })).toMatchObject({
      blocked: true,
      complete: false,
      cleared: false,
      lineItems: [
        {
          cuts: [{ held: true }],
          missing: [
            { message: '1 piece is held: bar 1 of plan "Week 17" was completed in spite of a Block.' },
          ],
        },
        { cuts: [{ held: true }] },
      ],
    })
  })

  it('is neither when something is missing from one of its line items', () =>
    expect(traceOrder({ ...facts, lineItems: [line(10, 1), line(20, 2)] })).toMatchObject({
      blocked: false,
      complete: false,
      cleared: false,
      lineItems: [{ missing: [] }, { missing: [{ message: expect.stringMatching(/length: 1 of 2/) }, {}] }],
    }))

  it('is complete when all that is missing is missing from cancelled line items', () =>
    expect(
      traceOrder({ ...facts, lineItems: [line(10, 1), line(20, 2, { cancelled: true })] }),
    ).toMatchObject({
      complete: true,
      lineItems: [{}, { cancelled: true, missing: [] }],
    }))

  it('shows on each cut the findings that concern it, and not those of its neighbours', () => {
    const other: JudgedOrder = {
      ...order,
      orderId: 'other',
      orderNumber: 'SO-2',
      tags: [cracked],
      lineItems: [{ ...lineOf(10), lineItemId: 'other 10' }],
    }
    const audited = traceOrder({
      ...facts,
      orders: [{ ...order, lineItems: [lineOf(10), lineOf(20, 'S355K2')] }, other],
      cuts: [...facts.cuts, cut('c', { orderId: 'other', lineItemId: 'other 10' })],
    })
    expect(findings(audited)).toEqual([[[]], [['grade-mismatch']]])
    expect(audited).toMatchObject({ blocked: true, complete: true, cleared: false })
  })

  it('judges a bar by the strictest class of all orders on it, as its verdict does', () => {
    const other: JudgedOrder = { ...order, orderId: 'other', executionClass: 'EXC3', lineItems: [] }
    const heatRead = { heatNumber: 'H 1', marked: true }
    const bare = { ...facts, bars: [bar('bar 1', { millCertificationId: null, heatRead })], certificates: [] }
    const severities = (audited: ReturnType<typeof traceOrder>) =>
      audited.lineItems.flatMap(({ cuts }) => cuts.flatMap((one) => one.findings.map((f) => f.severity)))
    expect(severities(traceOrder(bare))).toEqual(['Flag', 'Flag'])
    const shared = {
      ...bare,
      orders: [order, other],
      cuts: [...facts.cuts, cut('c', { orderId: 'other', lineItemId: 'x' })],
    }
    expect(severities(traceOrder(shared))).toEqual(['Block', 'Block'])
  })

  it('is blocked, but cleared, when somebody has overridden the Blocks', () => {
    expect(traceOrder(withTag)).toMatchObject({ blocked: true, cleared: false, overrides: [] })
    const { findings: found } = judge({
      bar: { grade: 'S355J2', profile: null },
      heatRead: null,
      certificate: withTag.certificates[0]!,
      sameHeat: aloneInHeat,
      acceptedCuts: facts.cuts,
      orders: facts.orders,
      policy: defaultReleasePolicy,
      pairRules: [],
      overrides: [],
    })
    const override = {
      findings: found.map(({ key }) => key),
      reason: 'The designer agreed.',
      reference: 'DR 17',
      by: 'quality',
      at: '2026-03-31T08:00:00.000Z',
    }
    const overridden = { ...withTag, bars: [bar('bar 1', { overrides: [override] })] }
    expect(traceOrder(overridden)).toMatchObject({
      blocked: true,
      complete: true,
      cleared: true,
      overrides: [{ barId: 'bar 1', ...override }],
      lineItems: [{ cuts: [{ findings: [{ code: 'certificate-tag', override }] }] }, {}],
    })
    const twoBars = {
      ...overridden,
      bars: [...overridden.bars, bar('bar 2')],
      cuts: [cut('a'), cut('b', { barId: 'bar 2' })],
    }
    const lineItems = [line(10, 2)]
    expect(traceOrder({ ...twoBars, lineItems })).toMatchObject({ complete: true, cleared: false })
    // The finding has one key on both bars. It holds the order back as long as it stands on one of them.
    for (const bars of [twoBars.bars, twoBars.bars.toReversed()]) {
      const { findings } = clearanceOf({ ...twoBars, lineItems, bars, cuts: cutsInOrderOf(bars) }, [
        'on bar 1',
        'on bar 2',
      ])
      expect(findings).toMatchObject([{ code: 'certificate-tag' }])
      expect(findings[0]).not.toHaveProperty('override')
    }
  })

  it('lets pieces leave that are sound, whatever the others lack', () => {
    const found = {
      ...withTag,
      bars: [bar('bar 1'), bar('bar 2', { ordinal: 2, millCertificationId: null })],
      lineItems: [line(10, 9)],
      cuts: [cut('a'), cut('b', { barId: 'bar 2' })],
    }
    const held = [tell('gap-certificate', { plan: 'Week 17', bar: 2 })]
    const codes = (...cutIds: string[]) => clearanceOf(found, cutIds).findings.map(({ code }) => code)
    expect(codes('b')).toEqual(['no-certificate'])
    expect(codes('a', 'b')).toEqual(['certificate-tag', 'no-certificate'])
    expect(clearanceOf(found, ['a']).missing).toEqual([])
    expect(clearanceOf(found, ['a', 'not shown yet']).missing).toEqual([tell('gap-unseen', { count: 1 })])
    expect(clearanceOf(found, ['b', 'a']).missing).toEqual(held)
    expect(clearanceOf({ ...found, certificates: [certificate] }, ['a'])).toEqual({
      findings: [],
      missing: [],
    })
  })

  it('is not cleared while a tag of its own blocks, even if nothing is to be cut for it', () =>
    expect(
      traceOrder({
        ...facts,
        blocked: true,
        lineItems: [line(10, 1, { cancelled: true })],
        bars: [],
        cuts: [],
        certificates: [],
        orders: [],
      }),
    ).toMatchObject({ blocked: true, complete: true, cleared: false }))

  it('shows one piece alone, and still says of the whole order whether it is complete', () => {
    const marked = { ...facts, cuts: [cut('a', { pieceMark: 'T7' }), cut('b', { lineItemId: 'line 20' })] }
    expect(traceOrder({ ...marked, pieceMark: 'T7' })).toMatchObject({
      complete: true,
      lineItems: [{ lineNumber: 10, cuts: [{ cutId: 'a', pieceMark: 'T7' }] }],
    })
    // The mark that was asked for has a small Cyrillic letter.
    expect(traceOrder({ ...marked, pieceMark: ' т7' })).toMatchObject({
      lineItems: [{ cuts: [{ cutId: 'a' }] }],
    })
    expect(traceOrder({ ...marked, pieceMark: 'T8' })).toMatchObject({ complete: true, lineItems: [] })
  })
})
