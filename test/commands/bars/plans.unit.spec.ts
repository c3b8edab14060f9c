import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { cancelBar, revertBar } from '../../../src/commands/bars/barCorrections.ts'
import * as commands from '../../../src/commands/bars/bars.ts'
import type { BarAddress } from '../../../src/commands/bars/plannedBar.ts'
import { addBars, createPlan, type NewBar, type NewPlan } from '../../../src/commands/bars/plans.ts'
import type { Command, CommandContext, Executor, Workflow } from '../../../src/commands/executor/command.ts'
import { runWorkflow } from '../../../src/commands/executor/workflow.ts'
import { productionPlanBarKey, productionPlanBarStream } from '../../../src/domain/bars/bar.ts'
import type { CutStatus } from '../../../src/domain/bars/barContent.ts'
import { productionPlanKey, productionPlanStream } from '../../../src/domain/bars/plan.ts'
import type { Refusal } from '../../../src/domain/kernel/refusal.ts'
import type { EventStore } from '../../../src/stores/eventStore.ts'
import { breakingOff, context, openYard, under, type Yard } from '../yard.ts'
import { emptyLookUps } from './lookUps.ts'

let yard: Yard
beforeAll(async () => {
  yard = await openYard()
})

function cutOf(line: 0 | 1, status: 'Accepted' | 'Proposed' | 'Rejected' = 'Accepted') {
  return { orderId: yard.orderId, lineItemId: yard.lineItemIds[line], lengthMm: 2_000, status }
}

function newBar(bar: Partial<NewBar> = {}): NewBar {
  return {
    stockLengthMm: 6_000,
    grade: 'S355J2+N',
    millCertificationId: yard.millCertificationId,
    cuts: [cutOf(0), cutOf(1, 'Proposed'), cutOf(1, 'Rejected')],
    ...bar,
  }
}

function newPlan(plan: Partial<NewPlan> = {}): NewPlan {
  return { name: 'Week 17', bars: [newBar(), newBar()], ...plan }
}

function tools(executor = yard.executor()) {
  return { ...executor, newId: randomUUID }
}

function completeBar(address: BarAddress) {
  return commands.completeBar(address, emptyLookUps)
}
function approveBar(address: BarAddress) {
  return commands.approveBar(address, emptyLookUps)
}
function startBar(address: BarAddress) {
  return commands.startBar(address, emptyLookUps)
}
function changeCutStatus(address: BarAddress, cutId: string, status: Exclude<CutStatus, 'Scrapped'>) {
  return commands.changeCutStatus(address, cutId, status, emptyLookUps)
}
function run<Answer>(useCase: Command<Answer> | Workflow<Answer>, executor = yard.executor()) {
  return 'run' in useCase
    ? runWorkflow(useCase, tools(executor), context())
    : executor.execute(useCase, context())
}

function create(plan: NewPlan, how: CommandContext = context(), executor?: Executor) {
  return createPlan(yard.companyId, plan).run(tools(executor), how)
}

function add(planId: string, bars: readonly NewBar[], how: CommandContext = context(), executor?: Executor) {
  return addBars({ companyId: yard.companyId, planId }, bars).run(tools(executor), how)
}

function barOf(barId: string) {
  return { companyId: yard.companyId, barId }
}

function planEvents(planId: string) {
  return yard.typesIn(productionPlanStream(productionPlanKey(yard.companyId, planId)))
}

function barEvents(barId: string) {
  return yard.typesIn(productionPlanBarStream(productionPlanBarKey(yard.companyId, barId)))
}

function refusal(code: string, details: object = {}) {
  return expect.objectContaining({ code, details: expect.objectContaining(details) }) as Refusal
}

describe('creating a plan', () => {
  it('answers the plan with its Draft bars, in the order of the request', async () => {
    const outcome = await create(newPlan({ bars: [newBar(), newBar({ stockLengthMm: 12_000, cuts: [] })] }))
    const { bars, ...plan } = outcome.body
    expect(outcome.recorded).toStrictEqual(['ProductionPlanCreated', 'BarsPlanned'])
    expect(plan).toStrictEqual({
      planId: expect.any(String),
      companyId: yard.companyId,
      name: 'Week 17',
      createdBy: 'alice',
      barCount: 2,
      createdAt: expect.any(String),
    })
    expect(bars.map(({ stockLengthMm, remnantMm }) => [stockLengthMm, remnantMm])).toStrictEqual([
      [6_000, 2_000],
      [12_000, 12_000],
    ])
    for (const [index, bar] of bars.entries())
      expect(bar).toMatchObject({
        planId: plan.planId,
        ordinal: index + 1,
        status: 'Draft',
        approvedAt: null,
      })
    const shown = { cutId: expect.any(String), pieceMark: null, revision: 0, held: false }
    expect(bars[0]!.cuts).toStrictEqual(newBar().cuts.map((cut) => ({ ...cut, ...shown })))
  })

  it('counts the places of bars from 1, also where a bar alone is the answer', async () => {
    const { body } = await create(newPlan())
    for (const [index, { barId }] of body.bars.entries()) {
      const cancelled = await yard.executor().execute(cancelBar(barOf(barId), 'bent'), context())
      expect(cancelled.body.ordinal).toBe(index + 1)
    }
  })

  it('opens bars with new ids without reading their streams first', async () => {
    const read: string[] = []
    const store: EventStore = {
      ...yard.store,
      readStream: (stream, revision) => {
        read.push(stream)
        return yard.store.readStream(stream, revision)
      },
    }
    await create(newPlan(), under(randomUUID()), yard.executor(store))
    expect(read.filter((stream) => stream.startsWith(productionPlanBarStream('')))).toStrictEqual([])
  })

  it('records the plan alone when it has no bars', async () => {
    const { body, recorded } = await create(newPlan({ bars: [] }))
    expect(recorded).toStrictEqual(['ProductionPlanCreated'])
    expect(body).toMatchObject({ barCount: 0, bars: [] })
  })

  it('answers a repeat with the current plan, and records nothing', async () => {
    const asked = newPlan({ planId: randomUUID() })
    const first = await create(asked)
    const { barId } = first.body.bars[0]!
    await yard.executor().execute(approveBar(barOf(barId)), context())
    await add(asked.planId!, [newBar()])
    const again = await create(asked)
    expect(again).toMatchObject({ recorded: [], replayed: false })
    expect(again.body.barCount).toBe(3)
    expect(again.body.bars.map(({ status }) => status)).toStrictEqual(['Approved', 'Draft', 'Draft'])
    expect(again.etag).toBe(2)
  })

  it('refuses an existing id with other content', async () => {
    const asked = newPlan({ planId: randomUUID() })
    const { body } = await create(asked)
    const { planId } = body
    for (const other of [
      { name: 'Week 18' },
      { bars: [newBar()] },
      { bars: [newBar(), newBar({ grade: 'S235JR' })] },
      { bars: [newBar(), newBar({ barId: randomUUID() })] },
      { bars: [newBar(), newBar({ barId: body.bars[0]!.barId })] },
    ])
      await expect(create({ ...asked, ...other })).rejects.toThrow(refusal('plan-already-exists', { planId }))
    expect(await planEvents(planId)).toStrictEqual(['ProductionPlanCreated', 'BarsPlanned'])
  })

  it('creates the plan once for twenty simultaneous callers on two nodes', async () => {
    const nodes = [yard.executor(), yard.executor()]
    const asked = newPlan({ planId: randomUUID(), bars: [newBar({ barId: randomUUID() }), newBar()] })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create(asked, context(), nodes[n % 2])),
    )
    expect(outcomes.filter(({ recorded }) => recorded.length > 0)).toHaveLength(1)
    for (const { body } of outcomes) expect(body).toStrictEqual(outcomes[0]!.body)
    expect(await planEvents(asked.planId!)).toStrictEqual(['ProductionPlanCreated', 'BarsPlanned'])
  })
})

describe('the check before anything is recorded', () => {
  it('lists every fault of every bar', async () => {
    const [planId, barId, cutId, nowhere] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const bars = [
      newBar({ barId, millCertificationId: nowhere }),
      newBar({
        barId,
        cuts: [
          { ...cutOf(0), cutId },
          { ...cutOf(1), cutId },
        ],
      }),
      newBar({ cuts: [cutOf(0), { ...cutOf(0), orderId: nowhere }, { ...cutOf(1), lineItemId: nowhere }] }),
      newBar({
        cuts: [
          { ...cutOf(0), lengthMm: 4_000 },
          { ...cutOf(0, 'Proposed'), lengthMm: 2_000.5 },
        ],
      }),
    ]
    const errors = [
      {
        path: '/bars/0/millCertificationId',
        code: 'unknown-record',
        message: `There is no mill certificate ${nowhere}.`,
        record: { millCertificationId: nowhere },
      },
      {
        path: '/bars/1/barId',
        code: 'not-unique',
        record: { barId },
        message: `Bar ${barId} is in this request already.`,
      },
      {
        path: '/bars/1/cuts/1/cutId',
        code: 'not-unique',
        record: { cutId },
        message: `Cut ${cutId} is in this bar already.`,
      },
      {
        path: '/bars/2/cuts/1/orderId',
        code: 'unknown-record',
        record: { orderId: nowhere },
        message: `There is no order ${nowhere}.`,
      },
      {
        path: '/bars/2/cuts/2/lineItemId',
        code: 'unknown-record',
        record: { lineItemId: nowhere },
        message: `Order ${yard.orderId} has no line item ${nowhere}.`,
      },
      { path: '/bars/3/cuts', code: 'out-of-bounds', message: 'They need 0.5 mm more than the stock has.' },
    ]
    await expect(create(newPlan({ planId, bars }))).rejects.toThrow(refusal('validation-failed', { errors }))
    expect(await planEvents(planId)).toStrictEqual([])
    expect(await barEvents(barId)).toStrictEqual([])
  })

  it('names records of another company as unknown', async () => {
    const elsewhere = createPlan(randomUUID(), newPlan({ bars: [newBar()] })).run(tools(), context())
    await expect(elsewhere).rejects.toThrow(
      refusal('validation-failed', {
        errors: [
          expect.objectContaining({ path: '/bars/0/millCertificationId' }),
          ...[0, 1, 2].map((n) => expect.objectContaining({ path: `/bars/0/cuts/${n}/orderId` })),
        ],
      }),
    )
  })

  it('names every bar that exists with other content or in another plan', async () => {
    const [mine, theirs, free] = [randomUUID(), randomUUID(), randomUUID()]
    const { body: plan } = await create(newPlan({ bars: [newBar({ barId: mine })] }))
    await create(newPlan({ bars: [newBar({ barId: theirs })] }))
    const bars = [newBar({ barId: mine, cuts: [] }), newBar({ barId: free }), newBar({ barId: theirs })]
    await expect(add(plan.planId, bars)).rejects.toThrow(
      refusal('bar-already-planned', { barIds: [mine, theirs] }),
    )
    expect(await barEvents(free)).toStrictEqual([])
  })
})

describe('adding bars to a plan', () => {
  it('does not change the bars that the plan has already', async () => {
    const [known, fresh] = [randomUUID(), randomUUID()]
    const { body: plan } = await create(newPlan({ bars: [newBar({ barId: known })] }))
    await yard.executor().execute(approveBar(barOf(known)), context())
    const asked = [newBar({ barId: fresh }), newBar({ barId: known })]
    const first = await add(plan.planId, asked)
    expect(first.recorded).toStrictEqual(['BarsPlanned'])
    expect(first.body.map(({ barId, status }) => [barId, status])).toStrictEqual([
      [fresh, 'Draft'],
      [known, 'Approved'],
    ])
    const again = await add(plan.planId, asked)
    expect(again).toMatchObject({ recorded: [], body: first.body })
  })

  it('is refused for a plan that does not exist', async () => {
    const planId = randomUUID()
    await expect(add(planId, [newBar({ millCertificationId: randomUUID() })])).rejects.toThrow(
      refusal('plan-not-found'),
    )
  })

  it('gives a bar that two plans claim to one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const barId = randomUUID()
      const plans = await Promise.all([create(newPlan({ bars: [] })), create(newPlan({ bars: [] }))])
      const claims = await Promise.allSettled(
        plans.map(({ body }) => add(body.planId, [newBar({ barId })], context(), yard.executor())),
      )
      const [won] = claims.flatMap((claim, n) => (claim.status === 'fulfilled' ? [n] : []))
      const [lost] = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason] : []))
      expect(lost).toEqual(refusal('bar-already-planned', { barIds: [barId] }))
      expect(await planEvents(plans[won!]!.body.planId)).toStrictEqual([
        'ProductionPlanCreated',
        'BarsPlanned',
      ])
      expect(await planEvents(plans[1 - won!]!.body.planId)).toStrictEqual(['ProductionPlanCreated'])
      expect(await barEvents(barId)).toStrictEqual(['BarOpened'])
    }
  })
})

describe('a repeat under the same Idempotency-Key', () => {
  it('gets the first answer, whatever the state of the plan is by then', async () => {
    const key = randomUUID()
    const first = await create(newPlan(), under(key))
    const { planId, bars } = first.body
    await yard.executor().execute(approveBar(barOf(bars[0]!.barId)), context())
    await add(planId, [newBar()])
    const again = await create(newPlan(), under(key))
    expect(again).toStrictEqual({ ...first, replayed: true })
  })

  it('gets the first answer for bars, too', async () => {
    const key = randomUUID()
    const { body: plan } = await create(newPlan({ bars: [] }))
    const first = await add(plan.planId, [newBar(), newBar()], under(key))
    await yard.executor().execute(approveBar(barOf(first.body[0]!.barId)), context())
    expect(await add(plan.planId, [newBar(), newBar()], under(key))).toStrictEqual({
      ...first,
      replayed: true,
    })
    expect(await planEvents(plan.planId)).toStrictEqual(['ProductionPlanCreated', 'BarsPlanned'])
  })

  it('records once when twenty come at once on two nodes', async () => {
    const key = randomUUID()
    const nodes = [yard.executor(), yard.executor()]
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create(newPlan(), under(key), nodes[n % 2])),
    )
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1)
    for (const { body } of outcomes) expect(body).toStrictEqual(outcomes[0]!.body)
  })

  it('is refused with another body, even when the first request recorded only its bars', async () => {
    const key = randomUUID()
    await create(newPlan(), under(key))
    await expect(create(newPlan({ name: 'Other' }), under(key, 'another body'))).rejects.toThrow(
      refusal('idempotency-key-reused'),
    )
    const cut = randomUUID()
    const broken = yard.executor(breakingOff(yard.store, 1))
    await expect(create(newPlan(), under(cut), broken)).rejects.toThrow('broke off')
    await expect(create(newPlan({ name: 'Other' }), under(cut, 'another body'))).rejects.toThrow(
      refusal('idempotency-key-reused'),
    )
  })
})

describe('creating a plan that breaks off', () => {
  const count = 3
  const barIds = () => Array.from({ length: count }, () => randomUUID())

  it.each([
    ['before', false],
    ['after', true],
  ])(
    '%s any of its appends shows nothing or everything, and is completed by a repeat',
    async (_, justAfter) => {
      for (const keyed of [false, true])
        for (let appends = 0; appends <= count; appends += 1) {
          const ids = barIds()
          const asked = newPlan({ planId: randomUUID(), bars: ids.map((barId) => newBar({ barId })) })
          const how = keyed ? under(randomUUID()) : context()
          const broken = yard.executor(breakingOff(yard.store, appends, justAfter))
          await expect(create(asked, how, broken)).rejects.toThrow('broke off')

          const isThere = justAfter && appends === count
          expect(await planEvents(asked.planId!)).toHaveLength(isThere ? 2 : 0)
          if (!isThere)
            for (const barId of ids) {
              for (const attempt of [approveBar, startBar, completeBar])
                await expect(run(attempt(barOf(barId)))).rejects.toThrow(refusal('bar-not-found'))
              const change = changeCutStatus(barOf(barId), randomUUID(), 'Rejected')
              await expect(yard.executor().execute(change, context())).rejects.toThrow(
                refusal('cut-not-found'),
              )
            }

          const { body } = await create(asked, how)
          expect(body.bars.map(({ barId }) => barId)).toStrictEqual(ids)
          expect(await planEvents(asked.planId!)).toStrictEqual(['ProductionPlanCreated', 'BarsPlanned'])
          for (const barId of ids) {
            await yard.executor().execute(approveBar(barOf(barId)), context())
            expect(await barEvents(barId)).toStrictEqual(['BarOpened', 'BarApproved'])
          }
        }
    },
  )

  it('is completed by a repeat under its key when no id was sent', async () => {
    for (let appends = 0; appends <= count; appends += 1) {
      const key = randomUUID()
      const asked = newPlan({ bars: Array.from({ length: count }, () => newBar()) })
      const broken = yard.executor(breakingOff(yard.store, appends))
      await expect(create(asked, under(key), broken)).rejects.toThrow('broke off')
      const { body } = await create(asked, under(key))
      expect(body.bars).toHaveLength(count)
      for (const { barId } of body.bars) expect(await barEvents(barId)).toStrictEqual(['BarOpened'])
      expect((await create(asked, under(key))).body).toStrictEqual(body)
    }
  })

  it('hides the cuts of its bars, too', async () => {
    const [barId, cutId] = [randomUUID(), randomUUID()]
    const asked = newPlan({ bars: [newBar({ barId, cuts: [{ ...cutOf(0), cutId }] })] })
    await expect(create(asked, context(), yard.executor(breakingOff(yard.store, 1)))).rejects.toThrow()
    expect(await barEvents(barId)).toStrictEqual(['BarOpened'])
    const change = changeCutStatus(barOf(barId), cutId, 'Rejected')
    await expect(yard.executor().execute(change, context())).rejects.toThrow(refusal('cut-not-found'))
  })
})

describe('a bar', () => {
  it('is started by only one of two callers', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { body } = await create(newPlan({ bars: [newBar()] }))
      const { barId } = body.bars[0]!
      const nodes = [yard.executor(), yard.executor()]
      await nodes[0]!.execute(approveBar(barOf(barId)), context())
      const starts = await Promise.allSettled(nodes.map((node) => run(startBar(barOf(barId)), node)))
      const refused = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
      expect(refused).toEqual([refusal('bar-not-approved', { state: 'Started' })])
      expect(await barEvents(barId)).toStrictEqual(['BarOpened', 'BarApproved', 'BarStarted'])
    }
  })

  it('answers its cut with the cut’s own revision', async () => {
    const { body } = await create(newPlan({ bars: [newBar()] }))
    const { barId, cuts } = body.bars[0]!
    const { execute } = yard.executor()
    const change = (n: number, status: 'Accepted' | 'Rejected') =>
      execute(changeCutStatus(barOf(barId), cuts[n]!.cutId, status), context())
    expect(await change(1, 'Accepted')).toMatchObject({
      body: { ...cuts[1], status: 'Accepted', revision: 1 },
      etag: 1,
    })
    expect(await change(2, 'Rejected')).toMatchObject({ body: cuts[2], etag: 0, recorded: [] })
    await execute(approveBar(barOf(barId)), context())
    expect(await change(2, 'Accepted')).toMatchObject({ etag: 3 })
    const stale = { ...context(), ifMatch: (etag: number) => etag === 2 }
    await expect(execute(changeCutStatus(barOf(barId), cuts[1]!.cutId, 'Rejected'), stale)).rejects.toThrow(
      refusal('precondition-failed'),
    )
  })

  it('is not found when it does not exist', async () => {
    const nowhere = barOf(randomUUID())
    for (const attempt of [approveBar(nowhere), startBar(nowhere), completeBar(nowhere)])
      await expect(run<unknown>(attempt)).rejects.toThrow(refusal('bar-not-found'))
    expect(await barEvents(nowhere.barId)).toStrictEqual([])
  })
})

describe('a remnant', () => {
  /** A Completed bar with 2,000 mm left. */
  async function completedBar(): Promise<string> {
    const cuts = [cutOf(0), cutOf(1)]
    const { body } = await create(newPlan({ bars: [newBar({ cuts })] }))
    const { barId } = body.bars[0]!
    for (const step of [approveBar, startBar, completeBar]) await run(step(barOf(barId)))
    return barId
  }
  const cutFrom = (fromBarId: string, bar: Partial<NewBar> = {}) =>
    newBar({ stockLengthMm: 2_000, millCertificationId: null, fromBarId, cuts: [cutOf(0)], ...bar })
  const minutesOn = (minutes: number) => () => new Date(Date.now() + minutes * 60_000)
  const cancel = (barId: string) => run(cancelBar(barOf(barId), 'Another bar is nearer.'))
  const revert = (barId: string) =>
    run(
      revertBar(barOf(barId), { to: 'Started', reason: 'The wrong bar.' }, emptyLookUps, async () => ({
        isQuality: true,
        isPlanner: false,
      })),
    )

  it('is the stock of another bar, which has the same certificate', async () => {
    const source = await completedBar()
    const key = under(randomUUID())
    const asked = newPlan({ bars: [cutFrom(source)] })
    const { body } = await create(asked, key)
    expect(body.bars).toMatchObject([
      { fromBarId: source, millCertificationId: yard.millCertificationId, remnantMm: 0 },
    ])
    expect((await create(asked, key)).body).toStrictEqual(body)
    const { planId, bars } = body
    expect((await add(planId, [cutFrom(source, { barId: bars[0]!.barId })])).recorded).toStrictEqual([])
    expect((await barEvents(source)).slice(3)).toStrictEqual(['BarCompleted', 'RemnantTaken'])
  })

  it('is used once, and given back by a bar that is cancelled', async () => {
    const source = await completedBar()
    const [first] = (await create(newPlan({ bars: [cutFrom(source)] }))).body.bars
    const used = refusal('remnant-used', { barId: source, usedBy: first!.barId })
    await expect(create(newPlan({ bars: [cutFrom(source)] }))).rejects.toThrow(used)
    await expect(revert(source)).rejects.toThrow(used)
    await cancel(first!.barId)
    const [second] = (await create(newPlan({ bars: [cutFrom(source)] }))).body.bars
    await cancel(second!.barId)
    expect((await revert(source)).body).toMatchObject({ status: 'Started' })
  })

  it('goes to one of two plans that ask for it at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const source = await completedBar()
      const asked = () => create(newPlan({ bars: [cutFrom(source)] }), context(), yard.executor())
      const claims = await Promise.allSettled([asked(), asked()])
      const lost = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason] : []))
      expect(lost).toEqual([refusal('remnant-used', { barId: source })])
      expect((await barEvents(source)).filter((type) => type === 'RemnantTaken')).toHaveLength(1)
    }
  })

  it('is free again ten minutes after a request that broke off, which then is refused', async () => {
    const source = await completedBar()
    const key = under(randomUUID())
    const asked = newPlan({ bars: [cutFrom(source)] })
    const broken = yard.executor(breakingOff(yard.store, 2))
    await expect(create(asked, key, broken)).rejects.toThrow('broke off')
    await expect(create(newPlan({ bars: [cutFrom(source)] }))).rejects.toThrow(refusal('remnant-used'))
    const later = yard.executor(yard.store, minutesOn(11))
    const { body } = await create(newPlan({ bars: [cutFrom(source)] }), context(), later)
    const used = refusal('remnant-used', { usedBy: body.bars[0]!.barId })
    await expect(create(asked, key)).rejects.toThrow(used)
  })

  it('is refused when it is too short, not there yet, or asked for twice', async () => {
    const source = await completedBar()
    const [unfinished] = (await create(newPlan({ bars: [newBar()] }))).body.bars
    const other = randomUUID()
    const bars = [
      cutFrom(source, { stockLengthMm: 2_000.1 }),
      cutFrom(source),
      cutFrom(unfinished!.barId),
      cutFrom(other),
    ]
    const refused = await create(newPlan({ bars })).catch(({ details }: Refusal) => details)
    expect(refused).toEqual({
      errors: [
        {
          path: '/bars/0/stockLengthMm',
          code: 'out-of-bounds',
          record: { barId: source },
          message: `is 2000.1 mm, and the remnant of bar ${source} is 2000 mm long`,
        },
        expect.objectContaining({ path: '/bars/1/fromBarId', code: 'not-unique' }),
        expect.objectContaining({ path: '/bars/2/fromBarId', code: 'wrong-status' }),
        expect.objectContaining({ path: '/bars/3/fromBarId', code: 'unknown-record' }),
      ],
    })
  })
})
