import { hash, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../src/lib/clocks.ts'
import { projections } from '../../src/projections/all.ts'
import { findFactsOfBars, type ListedBar } from '../../src/projections/bars/judgedBars.ts'
import { findCertificate } from '../../src/projections/bars/verdicts.ts'
import { certificateList } from '../../src/projections/certificates/certificates.ts'
import { asOf } from '../../src/projections/engine/reading/asOf.ts'
import { filteredList } from '../../src/projections/engine/reading/filteredList.ts'
import { createReader, type Reader, type StreamReading } from '../../src/projections/engine/reading/reader.ts'
import type { ReadModels } from '../../src/projections/engine/schema/readModels.ts'
import { ensureSchema } from '../../src/projections/engine/schema/schema.ts'
import { listTagHistory } from '../../src/projections/tags/history.ts'
import { listAssignments } from '../../src/projections/tags/tagAssignments.ts'
import { migrateLocal } from '../../src/stores/localSchema/migrate.ts'
import { buffersOf } from '../support/buffers.ts'
import { id } from '../support/given.ts'
import { ownDatabase } from '../support/postgres.ts'

/**
 * One company has a tag on every certificate, and all its certificates are of one heat. A page or a record reads no more
 * than it shows, whether PostgreSQL has statistics of the tables or not.
 */

const companyId = randomUUID()
const [ordinary, blocking] = [id(1), id(2)]
const many = 20_000
const page = { limit: 51 }

const { postgres } = await ownDatabase()
let readModels: ReadModels
let reader: Reader
beforeAll(async () => {
  await migrateLocal(postgres)
  readModels = await ensureSchema(postgres, randomUUID(), projections)
  reader = createReader({ postgres, readModels, positions: { knownStates: new Map() }, clock, streams: 1 })
  await fill()
})

/** Certificates 1 to `many`, each on a bar; certificate 7 is Rejected, and 8 has the tag that blocks. */
async function fill(): Promise<void> {
  const table = (name: string) => readModels.tableName(name, 1)
  const numbers = `generate_series(1, ${many}) AS n`
  const certificate = `md5(n::text)::uuid`
  const tagsOf = `unnest(CASE n WHEN 8 THEN ARRAY['${ordinary}', '${blocking}'] ELSE ARRAY['${ordinary}'] END) AS tag_id`
  for (const [name, columns, rows] of [
    [
      'certificate',
      `mill_certification_id, certificate_number, certificate_key, heat_number, heat_key, heat_near_key, grade, inspection_document,
       registered_at, updated_at, updated_by, status, tag_ids, words, revision, from_position`,
      `${certificate}, n, lpad(n::text, 6, '0'), 'H1', 'H1', 'H1', 'S235JR', '3.1', now(), now(), 'alice',
       CASE n WHEN 7 THEN 'Rejected' ELSE 'Received' END,
       CASE n WHEN 8 THEN '${ordinary} ${blocking}' ELSE '${ordinary}' END, '', 0, n FROM ${numbers}`,
    ],
    [
      'tag',
      `family, tag_id, name, color, severity, name_key, active, is_system_tag, last_modified_by, created_at, updated_at,
       revision, from_position`,
      `'millCert', tag_id::uuid, tag_id, '#112233', severity, tag_id, true, false, 'alice', now(), now(), 0, 0
       FROM (VALUES ('${ordinary}', NULL), ('${blocking}', 'Block')) AS tag (tag_id, severity)`,
    ],
    [
      'assignment',
      'family, subject_id, tag_id, rule_id, assignment_id, assigned_at, revision, from_position',
      `'millCert', ${certificate}, tag_id::uuid, '', gen_random_uuid(), now(), 0, n FROM ${numbers}, ${tagsOf}`,
    ],
    [
      'certificateTag',
      'mill_certification_id, tag_id, heat_key, from_position',
      `${certificate}, tag_id::uuid, 'H1', n FROM ${numbers}, ${tagsOf}`,
    ],
    [
      'bar',
      `bar_id, plan_id, plan_created_at, ordinal, status, stock_length_mm, grade, mill_certification_id, remnant_mm,
       created_at, updated_at, is_stopped, mark_transferred, overrides, words, revision, from_position`,
      `${certificate}, '${ordinary}', now(), n, 'Draft', 6000, 'S235JR', ${certificate}, 0, now(), now(), false, false, '[]', '', 0, n
       FROM ${numbers}`,
    ],
    [
      'tagHistory',
      `family, tag_id, position, ordinal, changed_at, changed_by_id, changed_by_name, changed_by_person, change_type,
       entity_type, entity_id, entity_label, changes, event_id`,
      `'millCert', '${ordinary}', n, 0, now(), 'alice', '', true, 'Assigned', 'MillCert', ${certificate}, n, '[]',
       gen_random_uuid() FROM ${numbers}`,
    ],
  ] as const)
    await postgres.query(`INSERT INTO ${table(name)} (company_id, ${columns}) SELECT '${companyId}', ${rows}`)
}

/** The id of a certificate by its number, as PostgreSQL turns a hash into a uuid. */
const idOf = (number: string) => hash('md5', number).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const read = <Value>(look: (reading: StreamReading) => Promise<Value>) =>
  reader.read(projections, look).then(({ value }) => value)

describe.each(['without statistics', 'with statistics'])('%s', (state) => {
  beforeAll(async () => {
    if (state === 'with statistics') await postgres.query('ANALYZE')
  })

  const tag = { companyId, family: 'millCert', tagId: ordinary } as const
  const [aCertificate, rejected, blocked] = ['1', '7', '8'].map(idOf) as [string, string, string]

  it.each([
    ['the history of a tag', (reading: StreamReading) => listTagHistory(reading, tag, page)],
    [
      'all assignments',
      (reading: StreamReading) => listAssignments(reading, { companyId, family: 'millCert' }, page),
    ],
    ['the assignments of a tag', (reading: StreamReading) => listAssignments(reading, tag, page)],
    [
      'a certificate of the heat',
      (reading: StreamReading) => findCertificate(reading, companyId, aCertificate),
    ],
  ])('reads no more than it shows of %s', async (_, query) => {
    expect(await read((reading) => buffersOf(reading, query(reading)))).toBeLessThan(400)
  })

  it('looks up details only for the rows that a list as of an earlier time shows', async () => {
    const buffers = await read(async (reading) => {
      const earlier = asOf(reading, readModels, many - 10)
      const query = await filteredList(certificateList, earlier, { companyId, filterValues: {} }, page)
      return buffersOf(earlier, query)
    })
    expect(buffers).toBeLessThan(2_500)
  })

  it('looks up only the certificates of the bars that it judges, also as of an earlier time', async () => {
    const bar = { barId: aCertificate, planId: aCertificate, millCertificationId: aCertificate, cuts: [] }
    const buffers = await read((reading) => {
      const earlier = asOf(reading, readModels, many - 10)
      return buffersOf(reading, findFactsOfBars(earlier, companyId, [bar as unknown as ListedBar]))
    })
    expect(buffers).toBeLessThan(600)
  })

  it('finds the other certificates of the heat that are Rejected or have a Block', async () => {
    const [found] = await read((reading) =>
      reading.query<{ sameHeat: unknown }>(findCertificate(reading, companyId, aCertificate)),
    )
    expect(found!.sameHeat).toMatchObject({ blocked: { count: 2, first: [rejected, blocked].toSorted() } })
  })
})
