import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CertificateContent } from '../../../src/domain/certificates/certificateContent.ts'
import type { DomainEvent } from '../../../src/domain/kernel/event.ts'
import { clock } from '../../../src/lib/clocks.ts'
import { projections } from '../../../src/projections/all.ts'
import { lookUpsIn } from '../../../src/projections/bars/lookUps.ts'
import { type FoundFacts, findVerdictFacts, judgedFrom } from '../../../src/projections/bars/verdicts.ts'
import { createReader, type Reader } from '../../../src/projections/engine/reading/reader.ts'
import { ensureSchema } from '../../../src/projections/engine/schema/schema.ts'
import { migrateLocal } from '../../../src/stores/localSchema/migrate.ts'
import { bar, barId, barOpened, barsPlanned, planCreated } from '../../domain/bars/productionFacts.ts'
import {
  assignment,
  assignmentsReplaced,
  certificateRegistered,
  tagCreated,
} from '../../domain/verdict/facts.ts'
import { companyId, id, recorded } from '../../support/given.ts'
import { ownDatabase } from '../../support/postgres.ts'
import { foldInMemory } from '../foldInMemory.ts'
import { writeRows } from '../tables.ts'

/** The facts that a verdict is judged from, as PostgreSQL finds them. */

const [own, rejected, blocked, voided, otherMill] = [id(1), id(2), id(3), id(4), id(5)]
const [differing, same, unstated, ofProduct] = [id(6), id(7), id(8), id(10)]
const tagId = id(9)

function registered(
  millCertificationId: string,
  manufacturer: string | null = null,
  content: Partial<CertificateContent> = {},
): DomainEvent {
  const { type, data } = certificateRegistered(content)
  return {
    type,
    data: { ...data, millCertificationId, certificateNumber: millCertificationId, manufacturer },
  }
}

function tagged(subjectId: string): DomainEvent {
  const { type, data } = assignmentsReplaced([], [assignment(id(70), tagId, '2026-01-01T12:00:00.000Z')])
  return { type, data: { ...data, subjectId } }
}

function decided(type: string, millCertificationId: string): DomainEvent {
  return { type, data: { companyId, millCertificationId, reason: 'Cracked.', replacedBy: null } }
}

const override = { findings: ['a key'], reason: 'The designer agreed.', reference: null }
const events: DomainEvent[] = [
  tagCreated(tagId, { severity: 'Block' }),
  ...[own, rejected, blocked].map((one) => registered(one)),
  registered(voided, null, { chemistry: { C: 0.1 } }),
  registered(otherMill, 'Another mill', { chemistry: { C: 0.3 } }),
  ...[differing, same].map((one) => registered(one, null, { chemistry: { C: 0.18, Mn: 1.4 } })),
  registered(unstated, null, { chemistry: { C: 0.19 }, analysis: null }),
  registered(ofProduct, null, { chemistry: { C: 0.2 }, analysis: 'product' }),
  ...[blocked, voided].map(tagged),
  ...[rejected, otherMill].map((one) => decided('CertificateRejected', one)),
  decided('CertificateVoided', voided),
  barOpened(6_000, { millCertificationId: own }),
  planCreated('Week 17'),
  barsPlanned([barId]),
  { type: 'FindingsOverridden', data: { ...bar, ...override, overridden: [] } },
]

const { postgres } = await ownDatabase()
let reader: Reader
beforeAll(async () => {
  await migrateLocal(postgres)
  const readModels = await ensureSchema(postgres, randomUUID(), projections)
  reader = createReader({ postgres, readModels, positions: { knownStates: new Map() }, clock, streams: 1 })
  for (const projection of judgedFrom)
    await writeRows(postgres, readModels, projection, foldInMemory(projection, recorded(events)))
})

describe('the blocked certificates of a heat', () => {
  it('are those that are Rejected or have a Block, of the same mill or of none, and are not Voided', async () => {
    const find = (millCertificationId: string) =>
      lookUpsIn(reader).sameHeat({ companyId, millCertificationId })
    const none = { count: 0, first: [] }
    expect((await find(own)).blocked).toEqual({ count: 2, first: [rejected, blocked] })
    expect((await find(rejected)).blocked).toEqual({ count: 1, first: [blocked] })
    expect((await find(otherMill)).blocked).toEqual(none)
  })
})

describe('the ladle analyses of a heat', () => {
  it('are those of other certificates, each once, without product analyses, Voided ones and other mills', async () => {
    const find = async (millCertificationId: string) =>
      (await lookUpsIn(reader).sameHeat({ companyId, millCertificationId })).analyses.map(
        (one) => one.chemistry,
      )
    const [theirs, another] = [{ C: 0.18, Mn: 1.4 }, { C: 0.19 }]
    expect(await find(own)).toHaveLength(2)
    expect(await find(own)).toEqual(expect.arrayContaining([theirs, another]))
    expect(await find(blocked)).toHaveLength(2)
    expect(await find(otherMill)).toEqual([])
    expect(await find(ofProduct)).toEqual([])
  })
})

describe('the facts of a bar', () => {
  it('have its overrides with its own certificate, and none with another that is tried', async () => {
    const overridesWith = async (tried: string | null) => {
      const { value } = await reader.read(judgedFrom, (reading) =>
        reading.query<FoundFacts>(findVerdictFacts(reading, { companyId, barId, tried })),
      )
      return value[0]!.overrides
    }
    const kept = [expect.objectContaining(override)]
    expect(await overridesWith(null)).toEqual(kept)
    expect(await overridesWith(own)).toEqual(kept)
    expect(await overridesWith(rejected)).toEqual([])
  })
})
