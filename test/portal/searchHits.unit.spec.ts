import { describe, expect, it } from 'vitest'
import { type Found, hitsOf } from '../../src/portal/screens/search/hits.ts'

const nothing: Found = { certificates: [], orders: [], bars: [], deliveries: [] }
const certificate = {
  millCertificationId: 'c1',
  certificateNumber: 'C-1',
  heatNumber: 'K 61844',
  grade: 'S355J2',
  manufacturer: null,
}
const bar = {
  barId: 'b1',
  planId: 'p1',
  planName: 'Week 17',
  ordinal: 3,
  grade: 'S355J2',
  profile: 'HEA 200',
  cuts: [{ pieceMark: null }, { pieceMark: 'B-17/2' }],
}
const linksOf = (text: string, found: Partial<Found>) =>
  hitsOf(text, { ...nothing, ...found }).map(({ path }) => path)

describe('the hits of a search', () => {
  it('offer the recall of a heat that is written in another way', () => {
    expect(linksOf('k61844', { certificates: [certificate] })).toEqual([
      '/certificates/c1',
      '/recall?heatNumber=K%2061844',
    ])
  })

  it('offer no recall of a heat whose beginning was typed', () => {
    expect(linksOf('K', { certificates: [certificate] })).toEqual(['/certificates/c1'])
  })

  it('name the piece that was looked for, and offer its recall', () => {
    const hits = hitsOf('b-17/2', { ...nothing, bars: [bar] })
    expect(hits[0]).toMatchObject({
      path: '/bars/b1',
      text: 'Week 17 · 3',
      more: ['B-17/2', 'HEA 200', 'S355J2'],
    })
    expect(hits[1]).toMatchObject({ kind: 'recall', path: '/recall?pieceMark=B-17%2F2' })
  })

  it('lead to a plan by its name, once for all of its bars', () => {
    expect(linksOf('week', { bars: [bar, { ...bar, barId: 'b2' }] })).toEqual([
      '/plans/p1',
      '/bars/b1',
      '/bars/b2',
    ])
  })

  it('lead from a delivery note to the steel that came with it', () => {
    const deliveries = [{ deliveryNote: 'LS 4711', supplier: null, date: '2026-03-31' }]
    expect(linksOf('LS 4711', { deliveries })).toEqual(['/recall?deliveryNote=LS%204711'])
  })
})
