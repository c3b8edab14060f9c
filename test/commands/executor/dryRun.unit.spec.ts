import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import { createDryRuns } from '../../../src/commands/executor/dryRun.ts'
import { registerOrder } from '../../../src/commands/orders/orders.ts'
import { millCertificateKey, millCertificateStream } from '../../../src/domain/certificates/certificate.ts'
import type { CertificateContent } from '../../../src/domain/certificates/certificateContent.ts'
import { certificateContent, orderContent } from '../../domain/verdict/facts.ts'
import { context, createStage, eventsOf, refusalOf } from '../nodes.ts'

const stage = createStage()
const here = stage.node()
const there = stage.node()

const beginDryRun = createDryRuns(4_000_000)

function yard() {
  const companyId = randomUUID()
  const register = (certificateNumber: string, content: Partial<CertificateContent> = {}) =>
    registerCertificate(companyId, { certificateNumber, heatNumber: 'H' }, certificateContent(content))
  const streamOf = (millCertificationId: string) =>
    millCertificateStream(millCertificateKey(companyId, millCertificationId))
  return { companyId, register, eventsOf: (id: string) => eventsOf(here.store, streamOf(id)) }
}

describe('a dry run', () => {
  it('answers as the command would, and records nothing', async () => {
    const { register, eventsOf } = yard()
    const dryRun = beginDryRun('ada')
    const dry = await here.execute(register('MC-1'), { ...context, dryRun })
    expect(dry.recorded).toStrictEqual(['MillCertificateRegistered'])
    expect(await eventsOf(dry.body.millCertificationId)).toStrictEqual([])
    const real = await here.execute(register('MC-1'), context)
    expect(real).toStrictEqual({ ...dry, position: real.position })
    expect(await eventsOf(dry.body.millCertificationId)).toHaveLength(1)
  })

  it('decides on what its earlier commands would have recorded, which nobody else sees', async () => {
    const { register } = yard()
    const dryRun = beginDryRun('ada')
    const first = await here.execute(register('MC-1'), { ...context, dryRun })
    const same = await here.execute(register(' mc-1'), { ...context, dryRun })
    expect(same).toMatchObject({ recorded: [], body: first.body })
    const other = register('MC-1', { grade: 'S235JR' })
    expect(await refusalOf(here.execute(other, { ...context, dryRun }))).toBe(
      'certificate-already-registered',
    )
    const another = { ...context, dryRun: beginDryRun('ada') }
    expect((await here.execute(other, another)).recorded).toHaveLength(1)
    expect((await here.execute(other, context)).recorded).toHaveLength(1)
  })

  it('decides on the end of the stream, whatever this node has in memory', async () => {
    const { register } = yard()
    await there.execute(register('MC-1'), context)
    const dry = await here.execute(register('MC-1'), { ...context, dryRun: beginDryRun('ada') })
    expect(dry.recorded).toStrictEqual([])
    const other = register('MC-1', { grade: 'S235JR' })
    const refused = here.execute(other, { ...context, dryRun: beginDryRun('ada') })
    expect(await refusalOf(refused)).toBe('certificate-already-registered')
  })

  it('refuses what would be too large to record', async () => {
    const lineItems = Array.from({ length: 500 }, (_, n) => ({
      ...orderContent().lineItems[0]!,
      lineNumber: n + 1,
      description: 'ä'.repeat(1_500),
    }))
    const order = registerOrder(randomUUID(), 'SO-1', orderContent({ lineItems }))
    for (const more of [{ dryRun: beginDryRun('ada') }, {}])
      expect(await refusalOf(here.execute(order, { ...context, ...more }))).toBe('too-large-to-record')
  })

  it('says so when it has no room to keep what an earlier command would have recorded', async () => {
    const { register } = yard()
    const begin = createDryRuns(12_000)
    const [dryRun, other] = [begin('ada'), begin('ada')]
    const numbers = ['MC-1', 'MC-2', 'MC-3', 'MC-4', 'MC-5', 'MC-6']
    for (const number of numbers)
      expect((await here.execute(register(number), { ...context, dryRun })).recorded).toHaveLength(1)
    const again = async (run: typeof dryRun) =>
      Promise.all(
        numbers.map((number) =>
          here.execute(register(number), { ...context, dryRun: run }).then(
            ({ recorded }) => recorded.length,
            ({ code }) => code,
          ),
        ),
      )
    const ofFull = await again(dryRun)
    expect(ofFull[0]).toBe(0)
    expect(ofFull.at(-1)).toBe('too-busy')
    // The room is for all runs of a caller together, and an ended run gives its part back.
    expect(await again(other)).toEqual([1, 1, 1, 1, 1, 1])
    expect((await again(other)).every((one) => one === 'too-busy')).toBe(true)
    expect((await again(begin('bob')))[0]).toBe(1)
    dryRun.end()
    other.end()
    const next = begin('ada')
    expect((await again(next))[0]).toBe(1)
    expect((await again(next))[0]).toBe(0)
  })
})
