import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { contentOf } from '../../src/imports/content.ts'
import type { ReadRow } from '../../src/imports/readRow.ts'
import { readScannedCertificates } from '../../src/imports/scans/certificates.ts'
import { isFullRun } from '../support/size.ts'
import { fixtureFolder, fixturesAreThere } from './fixtureFolder.ts'

/** Scans of real certificates, each with the values that are on it. */
const folder = resolve(fixtureFolder, 'scans')

interface RightValues {
  readonly heats: readonly {
    readonly heatNumber: string
    readonly chemistry: Readonly<Record<string, number>>
    readonly tests: readonly Readonly<Record<string, number>>[]
  }[]
}

const shortest = 'rebar-2600319_2600318'
const others = [
  'rebar-2510677_2510673_2510672_2510669_2510666',
  'rebar-2600200_2600203_2600204_2600205',
  'rebar-2600234_2600233_2600226_2600225_2600189',
  'rebar-2600248_2600247_2600246_2600245_2600244_2600243_2600235',
]

function rightValues(name: string): RightValues {
  return JSON.parse(readFileSync(resolve(folder, `${name}.json`), 'utf8')) as RightValues
}

/** Return what a person records who confirms each value as it was read. */
function confirmed(row: ReadRow) {
  const decisions = row.undecided
    .filter(({ candidates }) => candidates.length === 1)
    .map(({ field, candidates }) => ({ row: row.row, field, value: candidates[0] }))
  return contentOf(row, decisions) as {
    heatNumber?: string
    chemistry?: object
    statedCev?: number
    tests?: readonly Readonly<Record<string, number>>[]
  }
}

function expectRightValues(rows: readonly ReadRow[], name: string): void {
  const read = new Map(rows.map((row) => [confirmed(row).heatNumber, confirmed(row)]))
  for (const { heatNumber, chemistry, tests } of rightValues(name).heats) {
    const { Ceq, ...elements } = chemistry
    const heat = read.get(heatNumber)
    expect(heat, heatNumber).toMatchObject({ chemistry: elements, statedCev: Ceq })
    const stated = heat?.tests?.map(({ rawYieldMpa, rmMpa, rmReRatio, agtPercent, massPerMetreKg }) => ({
      ...{ yieldMpa: rawYieldMpa, rmMpa, ratio: rmReRatio, agtPercent, massPerMetreKg },
    }))
    expect(stated, heatNumber).toEqual(tests.map(({ areaMm2: _, ...test }) => test))
  }
}

describe.skipIf(!fixturesAreThere)('a scan', () => {
  it('proposes a row for each heat, and leaves the heat of a row open that belongs to none', async () => {
    const rows = await readScannedCertificates('jpeg', readFileSync(resolve(folder, `${shortest}.jpg`)))
    expectRightValues(rows, shortest)
    expect(rows).toHaveLength(3)
    const heat = rows[2]!.undecided.find(({ field }) => field === 'heatNumber')
    expect(heat?.candidates).toEqual(['2600319', '2600318'])
    const { faults, values } = rows[1]!
    expect(faults.length).toBeGreaterThan(0)
    // A value in doubt is left open until a person confirms it.
    for (const { code, field } of faults) {
      expect(code).toBe('unconfirmed')
      // The heading of a value in doubt is certain.
      expect(field).not.toMatch(/ind$/)
      expect(values.map((value) => value.field)).not.toContain(field)
    }
    for (const { confidence } of values.filter(({ field }) => field.startsWith('chemistry')))
      expect(confidence).toBeGreaterThanOrEqual(0.5)
    expect(contentOf(rows[0]!)).toMatchObject({
      grade: 'B 500 B',
      standard: 'BS 4449',
      nominalDiameterMm: 32,
    })
    const notTaken = rows[0]!.notTaken!.map(({ heading, values: count }) => [heading, count])
    expect(notTaken).toContainEqual(['Cross sect. area mm2', 7])
    expect(notTaken).toContainEqual(['LENGTH ( m ): 14', 1])
  })

  it.runIf(isFullRun).each(others)('%s is read without a wrong number', async (name) => {
    const rows = await readScannedCertificates('jpeg', readFileSync(resolve(folder, `${name}.jpg`)))
    expectRightValues(rows, name)
  })

  it.runIf(isFullRun).each([90, 180, 270, 3, -4])('is read when it is turned by %i°', async (degrees) => {
    const pdf = new PdfDocument({ size: [1_000, 1_000], margin: 0 })
    const file = buffer(pdf)
    pdf.rotate(degrees, { origin: [500, 500] })
    pdf.image(resolve(folder, `${shortest}.jpg`), 60, 190, { width: 880 })
    pdf.end()
    const rows = await readScannedCertificates('pdf', await file)
    const heats = rows.map((row) => confirmed(row).heatNumber)
    expect(heats).toEqual(expect.arrayContaining(['2600319', '2600318']))
    for (const { at } of rows.flatMap(({ values }) => values))
      expect('box' in at && at.box.every((side) => side >= 0 && side <= 1_000)).toBe(true)
  })
})
