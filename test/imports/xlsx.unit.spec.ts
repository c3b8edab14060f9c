import { buffer } from 'node:stream/consumers'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readFile } from '../../src/imports/read.ts'
import { mostUnpackedBytes, readXlsx } from '../../src/imports/tables/xlsx.ts'
import type { Cell } from '../../src/lib/sheets/cells.ts'
import { xlsxOf } from '../../src/lib/sheets/xlsx.ts'

async function* portions(...all: readonly (readonly (readonly Cell[])[])[]) {
  yield* all
}

/** A spreadsheet with shared strings and styles, as LibreOffice writes them. */
function office(
  sheet: string,
  strings: readonly string[] = [],
  more: Record<string, string> = {},
): Uint8Array {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const r = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
  const parts: Record<string, string> = {
    '_rels/.rels': `<Relationships ${relations}><Relationship Id="rId1" Type="${r}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${r}"><sheets><sheet name="Tabelle1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships ${relations}><Relationship Id="rId1" Type="${r}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${r}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${r}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])))
}

describe('XLSX', () => {
  it('is read as it is written, cell by cell', async () => {
    const rows = [
      ['certificateNumber', 'C', 'ok', 'note'],
      ['Z-1', 0.15, true, 'a < b & "c"\nü'],
      ['=1+1', -20, false, null],
    ]
    const bytes = await buffer(xlsxOf(portions(rows.slice(0, 1), rows.slice(1))))
    const read = await readXlsx(bytes)
    expect(read.map(({ cells }) => cells)).toEqual([rows[0], rows[1], ["'=1+1", -20, false, null]])
    expect(read.map(({ line }) => line)).toEqual([1, 2, 3])
  })

  it.each(['1e300', '-1e300', '99999999'])(
    'has a fault where a date is day %s, beyond all calendars',
    async (day) => {
      const text = (column: string, line: number, value: string) =>
        `<c r="${column}${line}" t="inlineStr"><is><t>${value}</t></is></c>`
      const headings = ['certificateNumber', 'heatNumber', 'grade', 'issuedOn']
      const heading = headings.map((name, n) => text('ABCD'[n]!, 1, name)).join('')
      const date = (column: string) => `<c r="${column}2" s="1"><v>${day}</v></c>`
      const sheet = `<row r="1">${heading}</row><row r="2">${text('A', 2, 'Z')}${date('B')}${date('C')}${date('D')}</row>`
      const [row] = await Array.fromAsync(
        readFile({ kind: 'certificates', format: 'xlsx', bytes: office(sheet) }),
      )
      expect(row!.faults).toMatchObject([{ field: 'issuedOn', code: 'wrong-format' }])
    },
  )

  it('is read as it is written when a text looks like an escaped character', async () => {
    const texts = ['_x0041_', '_x005F_x0041_', 'a_x000a__x000D_b', '_x_', '\u0001']
    const read = await readXlsx(await buffer(xlsxOf(portions([texts, texts]))))
    expect(read[0]!.cells).toEqual(texts)
  })

  it('says that a text is too long for a cell, and cuts none', async () => {
    const [longest, longer] = ['x'.repeat(32_767), 'x'.repeat(32_768)]
    const read = await readXlsx(await buffer(xlsxOf(portions([[longest, longer]]))))
    expect(read[0]!.cells[0]).toBe(longest)
    expect(read[0]!.cells[1]).toMatch(/^\(32768 characters, more than a spreadsheet can hold/)
  })

  it('gives equal bytes for equal rows, and breaks when the rows do', async () => {
    const write = () => buffer(xlsxOf(portions([['a', 1]])))
    expect(await write()).toEqual(await write())
    const broken = async function* () {
      yield [['a']]
      throw new Error('the store is gone')
    }
    await expect(buffer(xlsxOf(broken()))).rejects.toThrow('the store is gone')
  })

  it('reads shared strings, empty rows and dates as an office program writes them', async () => {
    const sheet =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="3"><c r="A3"><v>4711</v></c><c r="B3" s="1"><v>46025</v></c></row>'
    const read = await readXlsx(office(sheet, ['Schmelze', 'EN 10204']))
    expect(read[0]!.cells).toEqual(['Schmelze', 'EN 10204'])
    expect(read[2]).toEqual({ line: 3, cells: [4711, new Date('2026-01-03T00:00:00Z')] })
  })

  it('refuses a spreadsheet that unpacks to more than the bound', async () => {
    const bomb = office('', [], { 'xl/worksheets/sheet2.xml': ' '.repeat(mostUnpackedBytes) })
    expect(bomb.length).toBeLessThan(200_000)
    await expect(readXlsx(bomb)).rejects.toThrow(/unpacks to more than/)
  })

  it('meets no more bytes than the file says it has', async () => {
    const bytes = Buffer.from(office('', [], { 'xl/worksheets/sheet2.xml': ' '.repeat(1_000_000) }))
    // The central directory says 10 bytes of the large part.
    const name = bytes.lastIndexOf('xl/worksheets/sheet2.xml')
    bytes.writeUInt32LE(10, name - 46 + 24)
    await expect(readXlsx(bytes).then((rows) => rows.length)).resolves.toBe(0)
  })

  it.each(['xl/worksheets/sheet1.xml', 'xl/worksheets/Sheet1.xml'])(
    'refuses a second part %s, which another program may show in place of the first',
    async (doubled) => {
      const other = 'xl/worksheets/sheet9.xml'
      const bytes = Buffer.from(office('', [], { [other]: '<worksheet/>' }))
      for (let at = bytes.indexOf(other); at >= 0; at = bytes.indexOf(other)) bytes.write(doubled, at)
      await expect(readXlsx(bytes)).rejects.toThrow('two parts with the same name')
    },
  )

  it('refuses entities, and what is no spreadsheet, by name', async () => {
    const declared = '<!DOCTYPE x [<!ENTITY a "b">]><sst/>'
    for (const bytes of [
      office('', [], { 'xl/sharedStrings.xml': declared }),
      office('', [], { 'xl/sharedStrings.xml': `${' '.repeat(5_000)}${declared}` }),
      zipSync({ 'a.xml': Buffer.from('<a/>') }),
      Buffer.from('PK\x03\x04no'),
      Buffer.alloc(0),
    ])
      await expect(readXlsx(bytes)).rejects.toMatchObject({ code: 'unreadable' })
    await expect(readXlsx(office('<row><c r="A1"'))).rejects.toMatchObject({ code: 'unreadable' })
  })
})
