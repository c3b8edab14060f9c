import { randomUUID } from 'node:crypto'
import { removeMember } from '../../commands/company/companies.ts'
import type { ErasureRecord } from '../../commands/company/erasure.ts'
import { runWorkflow } from '../../commands/executor/workflow.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { responsibleYears } from '../../domain/kernel/responsibility.ts'
import { createErasing } from '../../identity/erasing.ts'
import { untilInForce } from '../../identity/revocation.ts'
import { clock, now } from '../../lib/clocks.ts'
import { createReader } from '../../projections/engine/reading/reader.ts'
import { operator, withCommands } from './executor.ts'
import type { Output } from './output.ts'
import { findReadModels, type Stores } from './stores.ts'

/** The person to erase, and the company that erases the name. */
interface Erased {
  readonly companyId: string
  readonly userId: string
  readonly isConfirmed: boolean
}

/**
 * Erase a person as `DELETE …/members/{userId}?erase=true` does, and print the same record. Return false when acts of
 * responsibility must be confirmed.
 */
export async function erasePerson(stores: Stores, erased: Erased, output: Output): Promise<boolean> {
  const { userId } = erased
  try {
    const record = await erase(stores, erased)
    output.record(record, textOf(erased, record))
    return true
  } catch (error) {
    if (!mustBeKept(error)) throw error
    const { code, message, details } = error
    output.record({ userId, code, ...details, detail: message }, keptText(userId, details.count))
    return false
  }
}

async function erase(stores: Stores, erased: Erased): Promise<ErasureRecord> {
  const { eventStore, postgres } = stores
  const { companyId, userId } = erased
  const readModels = await findReadModels(stores)
  return withCommands(stores, readModels, async ({ executor, persons }, positions) => {
    const reader = createReader({ postgres, readModels, positions, clock, streams: 1 })
    const removal = removeMember(companyId, userId, {
      erasing: createErasing({ eventStore, positions, reader, persons, now }, erased),
    })
    const tools = { ...executor, newId: randomUUID }
    const outcome = await runWorkflow(removal, tools, { actor: operator, correlationId: randomUUID() })
    await untilInForce('memberships', outcome, { positions })
    return outcome.body!
  })
}

function mustBeKept(error: unknown): error is Refusal<'record-must-be-kept'> {
  return error instanceof Refusal && error.code === 'record-must-be-kept'
}

function keptText(userId: string, count: number): string {
  return [
    `${userId} has done ${countActs(count)} within ${responsibleYears} years, and nobody could name the author afterwards; nothing was changed`,
    '→ use --confirm if the company may erase the name all the same',
  ].join('\n')
}

function textOf({ companyId, userId }: Erased, record: ErasureRecord): string {
  const { erasedAt, responsibleActs, notErased } = record
  return [
    `the name of ${userId} in company ${companyId} was erased at ${erasedAt}, and the membership has ended`,
    ...(responsibleActs > 0 ? [`nobody can name the author of ${countActs(responsibleActs)} any more`] : []),
    'the erasure cannot reach:',
    ...notErased.map(({ where, detail }) => `  ${where}: ${detail}`),
  ].join('\n')
}

function countActs(count: number): string {
  return `${count} ${count === 1 ? 'act' : 'acts'} of responsibility`
}
