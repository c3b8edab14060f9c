import { describe, expect, it } from 'vitest'
import type { ExampleBar } from '../../src/cli/demo/examples.ts'
import { normalise } from '../../src/domain/kernel/spellings.ts'
import { fixedCodes } from '../../src/domain/verdict/observation.ts'
import { settableCodes } from '../../src/domain/verdict/releasePolicy.ts'
import { checkBody } from '../../src/http/kit/body/validate.ts'
import { routes } from '../../src/http/routes.ts'
import {
  assignments,
  certificateKey,
  certificates,
  findings,
  orders,
  plans,
  readme,
  tableUnder,
  tags,
} from './examples.ts'

const tagBodies = (family: 'millCert' | 'order') =>
  tags.filter((tag) => tag.family === family).map(({ family: _, ...body }) => body)

function lineItem(orderNumber: string, lineNumber: number) {
  return orders.find((o) => o.orderNumber === orderNumber)?.lineItems.find((l) => l.lineNumber === lineNumber)
}
function certificateOf(bar: ExampleBar) {
  return certificates.find((c) => certificateKey(c) === certificateKey(bar))
}
function piecesOf(bars: ExampleBar[], orderNumber: string, lineNumber: number) {
  return bars
    .flatMap(({ cuts }) => cuts)
    .filter((cut) => cut.status === 'Accepted')
    .filter((cut) => cut.orderNumber === orderNumber && cut.lineNumber === lineNumber)
    .reduce((sum, { pieces }) => sum + pieces, 0)
}

describe('the example files', () => {
  it.each([
    ['registerCertificate', certificates],
    ['registerOrder', orders],
    ['createMillCertTag', tagBodies('millCert')],
    ['createOrderTag', tagBodies('order')],
  ])('have bodies that %s takes', (operationId, bodies: readonly object[]) => {
    const { body, bodyFaults } = routes.find((route) => route.operationId === operationId)!
    for (const one of bodies)
      expect(checkBody(body!, Buffer.from(JSON.stringify(one)), bodyFaults).faults).toEqual([])
  })

  it('have no duplicate certificate, order, line or tag', () => {
    const once = (keys: string[]) => expect(new Set(keys).size).toBe(keys.length)
    once(certificates.map((c) => normalise(certificateKey(c))))
    once(orders.map((o) => normalise(o.orderNumber)))
    once(tags.map((t) => `${t.family} ${normalise(t.name)}`))
    for (const { lineItems } of orders) once(lineItems.map((l) => String(l.lineNumber)))
  })

  it('have the numbers of records that examples/README.md states', () => {
    const heats = new Set(certificates.map((c) => c.heatNumber)).size
    const makers = new Set(certificates.map((c) => c.manufacturer).filter(Boolean)).size
    const lines = orders.flatMap((o) => o.lineItems).length
    const [long, short] = plans.map((p) => p.bars.length)
    expect(readme).toContain(`${certificates.length} mill certificates from ${makers} makers, ${heats} heats`)
    expect(readme).toContain(`${orders.length} orders with ${lines} line items`)
    expect(readme).toContain(`${long} bars of 12 m stock, ${short} bars of 6 m stock`)
    expect(certificates.length).toBeGreaterThanOrEqual(60)
    expect([orders.length, tags.length, plans.length]).toEqual([20, 12, 2])
  })
})

describe('assignments.json', () => {
  const families = [
    ['millCert', assignments.certificates.flatMap((a) => a.tags)],
    ['order', assignments.orders.flatMap((a) => a.tags)],
  ] as const

  it.each(families)('uses every %s tag, and no unknown one', (family, assigned) => {
    const names = tags.filter((t) => t.family === family).map((t) => t.name)
    expect(new Set(assigned)).toEqual(new Set(names))
  })

  it('names only existing subjects, each of them once', () => {
    const numbers = [
      ...assignments.certificates.map((a) => certificateKey(a)),
      ...assignments.orders.map((a) => a.orderNumber),
    ]
    const known = new Set([
      ...certificates.map((c) => certificateKey(c)),
      ...orders.map((o) => o.orderNumber),
    ])
    expect(numbers.filter((n) => !known.has(n))).toEqual([])
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})

describe('plans.json', () => {
  const bars = plans.flatMap((plan) =>
    plan.bars.map((bar, index) => [`${plan.name}, bar ${index + 1}`, bar] as const),
  )

  it.each(bars)(
    '%s: the cuts fit the stock, and have the length and grade of their line items',
    (_name, bar) => {
      const lengths = bar.cuts.filter((c) => c.status !== 'Rejected').map((c) => c.lengthMm * c.pieces)
      expect(lengths.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(bar.stockLengthMm)
      for (const cut of bar.cuts) {
        const line = lineItem(cut.orderNumber, cut.lineNumber)
        expect(line?.lengthMm).toBe(cut.lengthMm)
        expect(bar.grade.split('+')[0]).toBe(line?.grade)
      }
    },
  )

  it.each(bars)('%s: the certificate exists and has the grade of the bar', (_name, bar) => {
    if (!bar.certificateNumber) return expect(bar.status).toBe('Draft')
    expect(certificateOf(bar)?.grade).toBe(bar.grade)
  })

  it('plans no more pieces than were ordered', () => {
    for (const { orderNumber, lineItems } of orders) {
      for (const { lineNumber, quantity } of lineItems) {
        const planned = piecesOf(
          plans.flatMap((p) => p.bars),
          orderNumber,
          lineNumber,
        )
        expect(planned, `${orderNumber} line ${lineNumber}`).toBeLessThanOrEqual(quantity)
      }
    }
  })

  it('shares SO-2601 between the two plans as examples/README.md shows', () => {
    const [long, short] = plans.map((p) => p.bars) as [ExampleBar[], ExampleBar[]]
    const isDone = (b: ExampleBar) => b.status === 'Completed'
    const rows = tableUnder('The two plans')
    expect(rows).toHaveLength(4)
    for (const [line, pieces, onLong, onShort, after] of rows) {
      const lineNumber = Number(/^line (\d+)/.exec(line!)![1])
      const all = piecesOf([...long, ...short], 'SO-2601', lineNumber)
      const done = piecesOf([...long, ...short].filter(isDone), 'SO-2601', lineNumber)
      expect(String(all)).toBe(pieces)
      expect(String(piecesOf(long, 'SO-2601', lineNumber))).toBe(onLong)
      expect(String(piecesOf(short, 'SO-2601', lineNumber) || '–')).toBe(onShort)
      expect(lineItem('SO-2601', lineNumber)?.quantity).toBe(all)
      expect(after).toMatch(done === all ? /^`Completed`/ : /^`In Progress`/)
      expect(piecesOf(long.filter(isDone), 'SO-2601', lineNumber)).toBe(Number(onLong))
    }
  })

  it('leaves bars in every status', () => {
    const states = new Set(bars.map(([, bar]) => bar.status))
    expect(states).toEqual(new Set(['Draft', 'Approved', 'Started', 'Completed']))
  })
})

describe('findings.json', () => {
  it('has one bar for each finding of a verdict', () => {
    const shown = findings.plan.bars.map(({ finding }) => finding)
    // The examples have neither deliveries nor own rules, and no bar shows that an order repeats a mark.
    expect([...shown, 'stock-exceeded', 'piece-mark-repeated', 'pack-rule'].toSorted()).toEqual(
      [...settableCodes, ...fixedCodes].toSorted(),
    )
  })

  it('names no certificate or order of the other files', () => {
    const others = [...certificates.map((c) => certificateKey(c)), ...orders.map((o) => o.orderNumber)]
    const own = [
      ...findings.certificates.map((c) => certificateKey(c)),
      ...findings.orders.map((o) => o.orderNumber),
    ]
    expect(own.filter((key) => others.includes(key))).toEqual([])
    expect(readme).toContain(`${findings.plan.bars.length} Draft bars`)
    expect(readme).toContain(
      `${findings.certificates.length} certificates and ${findings.orders.length} orders that only they need`,
    )
  })
})

describe('the special orders', () => {
  const order = (orderNumber: string) => orders.find((o) => o.orderNumber === orderNumber)
  it('are those that examples/README.md lists', () => {
    expect(tableUnder('Special orders').map(([n]) => n)).toEqual([
      'SO-2604',
      'SO-2613',
      'SO-2614',
      'SO-2619',
      'SO-2620',
    ])
    expect(order('SO-2604')).toMatchObject({ requiredInspectionDocument: '3.2', executionClass: 'EXC3' })
    expect(order('SO-2613')).not.toHaveProperty('executionClass')
    expect(order('SO-2614')).toMatchObject({ requiredInspectionDocument: '2.2', executionClass: 'EXC2' })
    expect(order('SO-2614')?.lineItems.every((l) => l.grade === 'S355J2')).toBe(true)
    expect(order('SO-2619')).not.toHaveProperty('requiredInspectionDocument')
    expect(order('SO-2620')).toMatchObject({ executionClass: 'EXC4' })
    const onHold = assignments.orders.filter((a) => a.tags.includes('On hold')).map((a) => a.orderNumber)
    expect(onHold).toEqual(['SO-2614', 'SO-2619'])
  })
})
