import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadRulePacks } from '../../src/rulePacks/load.ts'
import type { RulePackDocument } from '../../src/rulePacks/rulePack.ts'
import { packs } from './shipped.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rule-packs-'))
})
afterEach(() => rm(directory, { recursive: true }))

const rule = {
  ruleId: 'thick',
  family: 'millCert' as const,
  when: 'certificate.thicknessMm > 40.0',
  tag: 'thick',
  clause: 'House rule',
  explanation: 'Thick.',
}
const tag = {
  key: 'thick',
  family: 'millCert' as const,
  name: 'Thick',
  color: '#abc',
  severity: 'Audit' as const,
  description: 'Thick.',
}
const pack: RulePackDocument = {
  $schema: './rulePack.schema.json',
  id: 'house',
  name: 'House rules',
  version: 1,
  edition: 'none',
  restated: 'By the yard, from its rules.',
  covers: ['Thick plates.'],
  doesNotCover: ['All else.'],
  tags: [tag],
  tables: {
    limits: { about: 'mm', values: { S355: 40 } },
    bands: { about: 'mm', values: { upToMm: [40, 80], S355: [1, null] } },
    nested: { about: '%', values: { S355: { C: 0.2 } } },
    names: { about: 'names', values: ['S355'] },
    one: { about: 'mm', values: 40 },
  },
  rules: [rule],
}

async function load(...documents: unknown[]) {
  for (const [index, document] of documents.entries())
    await writeFile(join(directory, `pack-${index}.json`), JSON.stringify(document))
  return loadRulePacks(pathToFileURL(`${directory}/`))
}

/** Return the faults that the error lists. */
async function faultsOf(...documents: unknown[]): Promise<string[]> {
  const error: Error = await load(...documents).then(
    () => new Error('nothing is wrong'),
    (reason) => reason,
  )
  return error.message
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
}

function withWhen(when: string) {
  return { ...pack, rules: [{ ...rule, when }] }
}

describe('the shipped packs', () => {
  it('are each in a file named after their id and version', async () => {
    const files = await readdir(new URL('../../src/rulePacks/packs/', import.meta.url), { recursive: true })
    const names = packs.map(({ document: { id, version } }) => `${id}/${version}.json`)
    expect(names).toEqual(files.filter((file) => file.endsWith('.json')).sort())
  })
})

describe('a pack', () => {
  it('is loaded when it has no fault', async () => {
    const [loaded] = await load(pack)
    expect(loaded!.document).toMatchObject({ ...pack, tables: expect.anything() })
  })

  it('lets each table say who restated its figures', async () => {
    const own = 'By the saw, from its manual.'
    const tables = { ...pack.tables, limits: { ...pack.tables!.limits!, restated: own } }
    const [loaded] = await load({ ...pack, tables })
    expect(loaded!.document.tables).toMatchObject({
      limits: { restated: own },
      bands: { restated: pack.restated },
    })
  })

  it('has a hash that ignores the order of members and changes with every word', async () => {
    const [first] = await load(pack)
    const [again] = await load(Object.fromEntries(Object.entries(pack).reverse()))
    const [other] = await load({ ...pack, name: 'House rule' })
    expect(again!.hash).toBe(first!.hash)
    expect(other!.hash).not.toBe(first!.hash)
    expect(first!.hash).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('an expression', () => {
  it.each([
    ['an unknown field', 'certificate.thickness > 40.0', 13, 'No such key: thickness'],
    ['an unknown element', 'certificate.chemistry.Xx > 0.1', 23, 'No such key: Xx'],
    ['an unknown field in has()', '!has(certificate.chemistry.Xx)', 28, 'There is no field Xx'],
    ['a field of the prototype', 'has(certificate.constructor)', 17, 'There is no field constructor'],
    ['the subject of the other family', 'order.executionClass == "EXC2"', 1, 'Unknown variable: order'],
    ['an unknown name', 'thickness > 40.0', 1, 'Unknown variable: thickness'],
    ['two types', 'certificate.thicknessMm > "40"', 1, 'no such overload: double > string'],
    ['two types in a part', 'true && certificate.grade > 3.0', 9, 'no such overload: string > double'],
    [
      'a table by the wrong key',
      'limits[certificate.thicknessMm] > 1.0',
      8,
      'The table is indexed by string, not by double',
    ],
    [
      'a table of tables by the wrong key',
      'nested[certificate.thicknessMm].C > 1.0',
      8,
      'The table is indexed by string, not by double',
    ],
    [
      'a type other than bool',
      'certificate.thicknessMm',
      1,
      'The type of a rule must be bool, but it is double',
    ],
    ['a syntax error', 'certificate.thicknessMm >', 26, 'Unexpected token: EOF'],
    [
      'an unknown function',
      'sqrt(certificate.thicknessMm) > 1.0',
      1,
      "found no matching overload for 'sqrt(double)'",
    ],
    [
      'a function with other arguments',
      'rounded(certificate.grade, 1.0) == 0.0',
      1,
      "found no matching overload for 'rounded(string, double)'",
    ],
    [
      'a regular expression',
      'certificate.grade.matches("(a+)+$")',
      1,
      'matches is not a function of rule packs',
    ],
    [
      'the clock',
      'timestamp("2026-01-01T00:00:00Z") < timestamp("2027-01-01T00:00:00Z")',
      1,
      'timestamp is not a function of rule packs',
    ],
  ])('is refused for %s', async (_, when, column, message) => {
    const faults = await faultsOf(withWhen(when))
    expect(faults[0]).toBe(`pack-0.json: rule thick, column ${column}: ${message}.`)
  })

  it('of a definition is refused with the name of the definition', async () => {
    const definition = {
      name: 'thick',
      family: 'millCert',
      about: 'x',
      expression: 'certificate.thick > 1.0',
    }
    expect(await faultsOf({ ...pack, definitions: [definition] })).toEqual([
      'pack-0.json: definition thick, column 13: No such key: thick.',
    ])
  })

  it('is refused in a definition whose name is taken, or that uses a later definition', async () => {
    const definition = { family: 'millCert', about: 'x', expression: 'true' }
    expect(
      await faultsOf({
        ...withWhen('late'),
        definitions: [
          { ...definition, name: 'limits' },
          { ...definition, name: 'certificate' },
          { ...definition, name: 'early', expression: 'late' },
          { ...definition, name: 'late' },
          { ...definition, name: 'late' },
        ],
      }),
    ).toEqual([
      'pack-0.json: definition limits: This name is already taken.',
      'pack-0.json: definition certificate: This name is already taken.',
      'pack-0.json: definition early, column 1: Unknown variable: late.',
      'pack-0.json: definition late: This name is already taken.',
    ])
  })
})

describe('the cost of an expression', () => {
  const orderPack = (when: string) => ({
    ...pack,
    tags: [{ ...tag, family: 'order' }],
    rules: [{ ...rule, family: 'order', when }],
  })

  it('must not grow with the square of the line items', async () => {
    const nested = 'order.lineItems.all(a, order.lineItems.exists_one(b, a.lineNumber == b.lineNumber))'
    expect(await faultsOf(orderPack(nested))).toEqual([
      expect.stringMatching(
        /^pack-0\.json: rule thick, column 1: The expression may take \d+ steps, but the limit is 100000\.$/,
      ),
    ])
    expect(await faultsOf(orderPack('order.lineItems.exists(line, line.grade in names)'))).toEqual([])
  })

  it('is limited by its length and its depth', async () => {
    const long = Array.from({ length: 160 }, () => 'true').join('||')
    expect((await faultsOf(withWhen(long)))[0]).toMatch(
      /^pack-0\.json: rule thick, column \d+: .*maxAstNodes/,
    )
    const deep = `${'('.repeat(60)}true${')'.repeat(60)}`
    expect((await faultsOf(withWhen(deep)))[0]).toMatch(/^pack-0\.json: rule thick, column \d+: .*maxDepth/)
    expect(await faultsOf(withWhen(`${' '.repeat(1_000)}true`))).toEqual([
      expect.stringContaining('/rules/0/when (rule thick)'),
    ])
  })
})

describe('a document', () => {
  it('is refused when it is not JSON', async () => {
    await writeFile(join(directory, 'broken.json'), '{\n  "id": ,\n}')
    await expect(loadRulePacks(pathToFileURL(`${directory}/`))).rejects.toThrow(
      /broken\.json: the document: Unexpected token ',', .* is not valid JSON/,
    )
  })

  it.each([
    ['an unknown member', { colour: 'red' }, 'the document'],
    ['an unknown member of a rule', { rules: [{ ...rule, else: 1 }] }, '/rules/0 (rule thick)'],
    ['a missing member', { edition: undefined }, '/edition'],
    ['a missing clause', { rules: [{ ...rule, clause: undefined }] }, '/rules/0/clause (rule thick)'],
    ['a version that is not an integer', { version: 1.5 }, '/version'],
    ['an invalid colour', { tags: [{ ...tag, color: 'red' }] }, '/tags/0/color'],
    ['an unknown severity', { tags: [{ ...tag, severity: 'Stop' }] }, '/tags/0/severity'],
    ['an unknown family', { rules: [{ ...rule, family: 'bar' }] }, '/rules/0/family (rule thick)'],
    ['no rule', { rules: [] }, '/rules'],
    [
      'a table of mixed values',
      { tables: { t: { about: 'x', values: { a: 1, b: 'c' } } } },
      '/tables/t/values',
    ],
    ['bands without ends', { tables: { t: { about: 'x', values: { S355: [1, 2] } } } }, '/tables/t/values'],
  ])('is refused for %s', async (_, change, where) => {
    expect(await faultsOf({ ...pack, ...change })).toContainEqual(
      expect.stringContaining(`pack-0.json: ${where}`),
    )
  })

  it.each([
    ['a duplicate rule id', { rules: [rule, rule] }, 'rule thick: Two rules of the pack have this ruleId.'],
    [
      'a duplicate tag key',
      { tags: [tag, { ...tag, name: 'Other' }] },
      'tag thick: Two tags of the pack have this key.',
    ],
    [
      'a duplicate tag name',
      {
        tags: [tag, { ...tag, key: 'other', name: ' thick'.trim() }],
        rules: [rule, { ...rule, ruleId: 'other', tag: 'other' }],
      },
      'tag name “thick”: Two tags of the pack have this name.',
    ],
    [
      'an unknown tag',
      { rules: [rule, { ...rule, ruleId: 'thin', tag: 'thin' }] },
      'rule thin: The pack has no tag thin.',
    ],
    [
      'a tag of the other family',
      {
        tags: [tag, { ...tag, key: 'late', family: 'order' }],
        rules: [rule, { ...rule, ruleId: 'late', tag: 'late' }],
      },
      'rule late: The rule is of family millCert, but its tag late is of order.',
    ],
    [
      'a tag that no rule assigns',
      { tags: [tag, { ...tag, key: 'idle', name: 'Idle' }] },
      'tag idle: No rule assigns this tag.',
    ],
    [
      'a row that has fewer values than there are bands',
      { tables: { t: { about: 'x', values: { upToMm: [1, 2], S355: [1] } } } },
      'table t: Row S355 has 1 value for 2 bands.',
    ],
    [
      'bands whose ends do not rise',
      { tables: { t: { about: 'x', values: { upToMm: [2, 2], S355: [1, 2] } } } },
      'table t: The ends of the bands in upToMm must increase.',
    ],
  ])('is refused for %s', async (_, change, fault) => {
    expect(await faultsOf({ ...pack, ...change })).toEqual([`pack-0.json: ${fault}`])
  })

  it('is refused when a rule id or a tag name is also in another pack', async () => {
    expect(await faultsOf(pack, { ...pack, id: 'yard' })).toEqual([
      'pack-1.json: rule thick: It is also in pack-0.json.',
      'pack-1.json: tag name “Thick”: It is also in pack-0.json.',
    ])
  })

  it('shares its rule ids and tag names with its other versions, but has one file for each version', async () => {
    expect(await faultsOf(pack, { ...pack, version: 2 })).toEqual([])
    expect(await faultsOf(pack, { ...pack, rules: [{ ...rule, explanation: 'Again.' }] })).toEqual([
      'pack-1.json: pack house: It is also in pack-0.json.',
    ])
  })

  it('is refused with all of its faults at once', async () => {
    const faulty = { ...rule, ruleId: 'other', when: 'certificate.x > 1.0' }
    const { rules: _, ...incomplete } = pack
    expect(await faultsOf({ ...pack, rules: [faulty, { ...rule, tag: 'none' }] }, incomplete)).toEqual([
      'pack-0.json: rule thick: The pack has no tag none.',
      'pack-0.json: rule other, column 13: No such key: x.',
      expect.stringContaining('pack-1.json: /rules: '),
    ])
  })
})
