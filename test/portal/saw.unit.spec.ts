import { describe, expect, it } from 'vitest'
import { glanceAt, nextStepAt } from '../../src/portal/screens/saw/glance.ts'
import { readScan } from '../../src/portal/screens/saw/scan.ts'

const id = '270f2251-db98-56b5-9100-c7b0de227421'
const barOf = (barId: string, heatNumber?: string, status = 'Approved') => ({
  barId,
  status,
  heatRead: null,
  certificate: heatNumber === undefined ? null : { heatNumber },
})
const free = { maySet: true, isAsked: false }
const bars = [barOf(id, 'C 90815'), barOf('11111111-0000-0000-0000-000000000000', 'K1'), barOf('2', 'k1 ')]

describe('a scan', () => {
  it('finds a bar by its id, also at the end of an address', () => {
    const found = { kind: 'bar', barId: id }
    expect(readScan(id.toUpperCase(), bars, undefined, free)).toEqual(found)
    expect(readScan(`https://example.com/portal/c/1/bars/${id}`, bars, bars[1], free)).toEqual(found)
    expect(readScan(id.replaceAll('-', 'ß'), bars, undefined, free)).toEqual(found)
  })

  it('finds bars by heat, whatever the case and the white space, or by the first 8 characters of an id', () => {
    expect(readScan(' c  90815', bars, undefined, free)).toEqual({ kind: 'bars', barIds: [id] })
    expect(readScan('K1', bars, undefined, free)).toMatchObject({ barIds: [bars[1]!.barId, '2'] })
    expect(readScan('11111111', bars, bars[0], free)).toMatchObject({ barIds: [bars[1]!.barId] })
    expect(readScan('1111111', bars, undefined, free)).toEqual({ kind: 'unknown' })
    expect(readScan('90815', bars, undefined, free)).toEqual({ kind: 'unknown' })
  })

  it('knows a heat whose letters are of another script', () => {
    const cyrillic = barOf('3', 'Н 4712')
    expect(readScan('H 4712', [cyrillic], undefined, free)).toEqual({ kind: 'bars', barIds: ['3'] })
    expect(readScan('H 4712', [cyrillic], cyrillic, free)).toEqual({ kind: 'sameHeat' })
  })

  it('sets the heat of the open bar if it has none, or if the person has asked', () => {
    const set = { kind: 'setHeat', heatNumber: 'K1' }
    expect(readScan(' K1 ', bars, barOf('3'), free)).toEqual(set)
    expect(readScan('K1', bars, bars[0], { maySet: true, isAsked: true })).toEqual(set)
    expect(readScan('K1', bars, barOf('3'), { maySet: false, isAsked: false }).kind).toBe('bars')
    expect(readScan('K1', bars, barOf('3', undefined, 'Completed'), free).kind).toBe('bars')
    expect(readScan('K1', bars, { ...barOf('3'), heatRead: { heatNumber: 'K2' } }, free).kind).toBe('bars')
  })

  it('offers a heat that people take for the scanned one, and takes none of them by itself', () => {
    expect(readScan('c-9o815', bars, undefined, free)).toEqual({ kind: 'nearBars', barIds: [id] })
    const near = { kind: 'nearHeat', heatNumber: 'C 90815' }
    expect(readScan('c-9o815', bars, bars[0], free)).toEqual(near)
    expect(readScan('c-9o815', bars, bars[0], { maySet: true, isAsked: true })).toEqual(near)
    const both = [...bars, barOf('3', 'C9O815')]
    expect(readScan('c9o815', both, undefined, free)).toEqual({ kind: 'bars', barIds: ['3'] })
  })

  it('confirms the heat of the open bar', () => {
    expect(readScan('c 90815', bars, bars[0], free)).toEqual({ kind: 'sameHeat' })
    const read = { ...barOf('3'), heatRead: { heatNumber: 'K2' } }
    expect(readScan('K2', bars, read, free)).toEqual({ kind: 'sameHeat' })
  })
})

describe('a glance', () => {
  const good = { mayBeCut: true, findings: [] }
  const block = {
    key: '',
    code: 'grade-mismatch',
    severity: 'Block',
    message: '',
    sentence: { text: '' },
  } as const
  const bad = { mayBeCut: false, findings: [block] }
  const flagged = { mayBeCut: true, findings: [{ ...block, severity: 'Flag' }] } as const
  const unread = { mayBeCut: false, findings: [{ ...block, code: 'heat-unread' }] } as const
  const minutes = (count: number) => count * 60_000

  it.each([
    ['Approved', good, 0, 'mayBeCut', 'start'],
    ['Approved', good, minutes(15) - 1, 'mayBeCut', 'start'],
    ['Approved', good, minutes(15), 'old', undefined],
    ['Approved', good, -1_000, 'mayBeCut', 'start'],
    ['Approved', good, minutes(-60), 'old', undefined],
    ['Approved', flagged, 0, 'toBeLookedAt', 'start'],
    ['Approved', bad, 0, 'mayNotBeCut', undefined],
    ['Approved', unread, 0, 'heatUnread', undefined],
    ['Approved', { ...unread, findings: [...unread.findings, block] }, 0, 'mayNotBeCut', undefined],
    ['Approved', undefined, 0, 'notKnown', undefined],
    ['Started', good, 0, 'mayBeCut', 'complete'],
    ['Started', good, minutes(60), 'old', 'complete'],
    ['Started', undefined, 0, 'notKnown', 'complete'],
    ['Approved', null, 0, 'notKnown', undefined],
    ['Started', null, 0, 'notKnown', undefined],
    ['Started', bad, minutes(60), 'stop', undefined],
    ['Draft', good, 0, 'notApproved', undefined],
    ['Draft', bad, 0, 'mayNotBeCut', undefined],
    ['Completed', bad, 0, 'over', undefined],
    ['Cancelled', good, 0, 'over', undefined],
  ] as const)(
    'at a %s bar with %o after %i ms says %s, and offers %s',
    (status, verdict, age, says, step) => {
      const bar = { status, certificate: {}, ...(verdict !== undefined && { verdict }) }
      expect(glanceAt(bar, age)).toBe(says)
      expect(nextStepAt(bar, age)).toBe(step)
    },
  )
})
