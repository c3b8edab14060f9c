import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCertificateJson } from '../../src/imports/certificates/json.ts'
import { readPdf } from '../../src/imports/pdf/certificates.ts'
import { fixtureFolder, fixturesAreThere } from './fixtureFolder.ts'
import { expectedFiles } from './fixtureTable.ts'
import { expectedPdfs } from './pdfFixtureTable.ts'

describe.skipIf(!fixturesAreThere)('digital certificates of others', () => {
  it.each(expectedFiles)('proposes from $file what the table says', ({ file, root, ...expected }) => {
    const rows = readCertificateJson(JSON.parse(readFileSync(resolve(fixtureFolder, file), 'utf8')))
    expect(rows).toHaveLength(1)
    const pointer = (place: string) => ({ pointer: `${root}${place}` })
    const [{ values, undecided }] = rows as [(typeof rows)[0]]
    expect(Object.fromEntries(values.map(({ field, value, at }) => [field, { value, at }]))).toEqual(
      Object.fromEntries(
        Object.entries(expected.values).map(([field, [value, place]]) => [
          field,
          { value, at: pointer(place) },
        ]),
      ),
    )
    expect(
      Object.fromEntries(undecided.map(({ field, candidates, at }) => [field, { candidates, at }])),
    ).toEqual(
      Object.fromEntries(
        Object.entries(expected.undecided).map(([field, [candidates, place]]) => [
          field,
          { candidates, at: pointer(place) },
        ]),
      ),
    )
  })

  it.each(expectedPdfs)(
    'proposes from $file what the table says',
    async ({ file, values, undecided, inDoubt = [] }) => {
      const rows = await readPdf(readFileSync(resolve(fixtureFolder, file)))
      expect(rows).toHaveLength(1)
      const row = rows[0]!
      // Each PDF has the analysis of the JSON beside it.
      const json = expectedFiles.find((one) => one.file === file.replace('.pdf', '.json'))!
      const ofAnalysis = (fields: Readonly<Record<string, readonly [unknown, string]>>) =>
        Object.fromEntries(
          Object.entries(fields)
            .filter(([field]) => /^(?:chemistry|statedCev)/.test(field))
            .map(([field, [value]]) => [field, value]),
        )
      const isDoubted = ({ field }: { readonly field: string }) => inDoubt.includes(field)
      const doubted = row.undecided
        .filter(isDoubted)
        .map(({ field, candidates: [value] }) => ({ field, value }))
      expect(
        Object.fromEntries([...row.values, ...doubted].map(({ field, value }) => [field, value])),
      ).toEqual({
        ...ofAnalysis(json.values),
        ...values,
      })
      const open = row.undecided.filter((one) => !isDoubted(one))
      expect(Object.fromEntries(open.map(({ field, candidates }) => [field, candidates]))).toEqual({
        ...ofAnalysis(json.undecided),
        ...undecided,
      })
      expect(row.faults.map(({ code, field }) => [code, field])).toEqual(
        inDoubt.map((field) => ['unconfirmed', field]),
      )
      for (const { at } of [...row.values, ...row.undecided])
        expect(at).toMatchObject({ page: expect.any(Number) })
    },
  )
})
