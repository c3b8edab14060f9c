import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { releaseCertificates } from '../../../src/commands/certificates/certificateDecisions.ts'
import type { Execute, Outcome } from '../../../src/commands/executor/command.ts'
import { runWorkflow } from '../../../src/commands/executor/workflow.ts'
import { Refusal } from '../../../src/domain/kernel/refusal.ts'
import { PostgresUnavailable } from '../../../src/stores/postgres/postgres.ts'
import { emptyLookUps } from '../bars/lookUps.ts'

/** Decisions on many records, where one of them meets a fault. */

const ids = Array.from({ length: 40 }, () => randomUUID())
const context = { actor: { id: 'ada', name: 'Ada', kind: 'service' }, correlationId: 'spec' } as const

/** Release every certificate; the commands end in turn with these outcomes, the rest with the last of them. */
function release(...ends: readonly (() => Outcome<unknown>)[]) {
  let begun = 0
  const execute = (async () => (ends[begun++] ?? ends.at(-1)!)()) as Execute
  const check = () => Promise.reject(new Error('is not needed'))
  const workflow = releaseCertificates('company', { ids, note: null }, emptyLookUps)
  return { begun: () => begun, run: runWorkflow(workflow, { execute, check, newId: randomUUID }, context) }
}

const recorded = (position: number, replayed = false) => ({
  body: undefined,
  recorded: ['MillCertificateReleased'],
  position,
  replayed,
})
const unchanged = () => ({ ...recorded(3), recorded: [] })
const lost = (): never => {
  throw new PostgresUnavailable(new Error('gone'), true)
}
const refuse = (code: 'store-unavailable' | 'idempotency-key-reused' | 'four-eyes') => (): never => {
  throw new Refusal(code, code)
}

describe('decisions on many records', () => {
  it('have one result each in the order of the ids, and the last position', async () => {
    const { run } = release(() => recorded(9), refuse('four-eyes'), unchanged)
    const { body, ...outcome } = await run
    expect(body.map(({ id }) => id)).toEqual(ids)
    expect(body.slice(0, 3)).toMatchObject([
      { changed: true },
      { refusal: { code: 'four-eyes' } },
      { changed: false },
    ])
    expect(outcome).toEqual({ position: 9, recorded: ['MillCertificateReleased'], replayed: false })
  })

  it('are a repeat when each that recorded something is one', async () => {
    const again = () => recorded(9, true)
    expect(await release(again, refuse('four-eyes'), unchanged).run).toMatchObject({ replayed: true })
    expect(await release(again, () => recorded(10), unchanged).run).toMatchObject({ replayed: false })
    expect(await release(unchanged).run).toMatchObject({ replayed: false })
  })

  it.each([
    ['the event store', refuse('store-unavailable')],
    ['the read models', lost],
  ])('stop when %s cannot be reached, and say that a part was recorded', async (_store, fault) => {
    const { run, begun } = release(() => recorded(9), unchanged, fault)
    await expect(run).rejects.toMatchObject({ code: 'outcome-unknown' })
    expect(begun()).toBeLessThan(ids.length)
  })

  it.each([
    ['read models that cannot be reached', lost, { name: 'PostgresUnavailable' }],
    ['a reused key', refuse('idempotency-key-reused'), { code: 'idempotency-key-reused' }],
  ])('are refused as a whole for %s', async (_fault, fault, error) => {
    await expect(release(fault).run).rejects.toMatchObject(error)
  })
})
