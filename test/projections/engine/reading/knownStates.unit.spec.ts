import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Notice } from '../../../../src/projections/engine/projector/notice.ts'
import {
  applyNotice,
  applyRows,
  type KnownStates,
  type News,
  reaches,
} from '../../../../src/projections/engine/reading/knownStates.ts'
import type { ProjectionState } from '../../../../src/projections/engine/schema/schema.ts'

/** How far a node knows the read models to be, whatever it hears and sees, in whatever order. */

const state = (name: string, position: number, more: Partial<ProjectionState> = {}): ProjectionState => ({
  name,
  version: 1,
  generation: 1,
  status: 'running',
  position,
  eventId: `${position}`,
  failure: null,
  ...more,
})
const statesOf = (...states: ProjectionState[]): KnownStates => new Map(states.map((one) => [one.name, one]))
const notice = (from: number, to: number, more: Partial<Notice> = {}): Notice => ({
  from,
  to,
  moved: { tags: 1, orders: 1 },
  stopped: [],
  changed: [{ companyId: 'c', projection: 'tags' }],
  ...more,
})

describe('a notice', () => {
  const known = statesOf(state('tags', 10), state('orders', 10))

  it('moves the projections that took part, and names the changed lists', () => {
    const { knownStates, changes } = applyNotice(known, notice(10, 12))
    expect([...knownStates.values()].map(({ position }) => position)).toEqual([12, 12])
    expect(changes).toEqual([{ companyId: 'c', projection: 'tags' }])
  })

  it('changes nothing when the node knows its batch already', () => {
    const { knownStates } = applyNotice(known, notice(10, 12))
    expect(applyNotice(knownStates, notice(10, 12))).toEqual({ knownStates, changes: [] })
    // Another projection takes part in this one, and has not heard of it.
    const rest = applyNotice(knownStates, notice(10, 12, { moved: { tags: 1, bars: 1 } }))
    expect(rest.changes).toBe('*')
  })

  it('reports that anything may have changed when it begins after the known position', () => {
    expect(applyNotice(known, notice(11, 12)).changes).toBe('*')
  })

  it('stops a projection at its position', () => {
    const { knownStates } = applyNotice(known, notice(10, 12, { stopped: ['orders'] }))
    expect(knownStates.get('orders')).toMatchObject({ status: 'failed', position: 10 })
    expect(reaches(knownStates, ['tags'], 12)).toBe(true)
    expect(reaches(knownStates, ['tags', 'orders'], 12)).toBe(false)
    expect(reaches(knownStates, ['tags'], 13)).toBeUndefined()
    // The next batch goes on without it.
    const next = applyNotice(knownStates, notice(12, 14, { moved: { tags: 1 } }))
    expect(next.knownStates.get('orders')).toMatchObject({ status: 'failed', position: 10 })
    expect(next.changes).toEqual([{ companyId: 'c', projection: 'tags' }])
  })

  it('does not move a projection that runs again but took no part', () => {
    const rebuilt = statesOf(state('tags', 10), state('orders', 10, { generation: 2 }))
    const { knownStates } = applyNotice(rebuilt, notice(10, 12, { moved: { tags: 1 } }))
    expect(reaches(knownStates, ['tags'], 12)).toBe(true)
    expect(reaches(knownStates, ['orders'], 12)).toBeUndefined()
  })

  it('changes nothing when it is about tables that a rebuild has replaced', () => {
    const rebuilt = statesOf(state('tags', 10, { generation: 2 }))
    for (const stopped of [[], ['tags']]) {
      const { knownStates } = applyNotice(rebuilt, notice(10, 12, { moved: { tags: 1 }, stopped }))
      expect(knownStates).toEqual(rebuilt)
    }
  })

  it('moves to the tables of a new rebuild, and reports that anything may have changed', () => {
    const { knownStates, changes } = applyNotice(known, notice(10, 12, { moved: { tags: 2 } }))
    expect(knownStates.get('tags')).toMatchObject({ generation: 2, position: 12 })
    expect(changes).toBe('*')
  })

  it('resumes a stopped projection in the same tables', () => {
    const stopped = statesOf(state('tags', 10, { status: 'failed' }))
    const { knownStates } = applyNotice(stopped, notice(10, 12, { moved: { tags: 1 } }))
    expect(knownStates.get('tags')).toMatchObject({ status: 'running', position: 12 })
    // A late notice from before it stopped does not resume it.
    const late = applyNotice(stopped, notice(8, 10, { moved: { tags: 1 } }))
    expect(late.knownStates.get('tags')).toMatchObject({ status: 'failed', position: 10 })
  })
})

describe('a look', () => {
  it('does not undo what a notice has reported meanwhile', () => {
    const before = statesOf(state('tags', 10))
    const meanwhile = applyNotice(before, notice(10, 12)).knownStates
    const { knownStates, changes } = applyRows(meanwhile, [state('tags', 11)], before)
    expect(knownStates.get('tags')).toMatchObject({ position: 12 })
    expect(changes).toEqual([])
  })

  it('moves back with rows that belong to another history', () => {
    const before = statesOf(state('tags', 10))
    const { knownStates, changes } = applyRows(before, [state('tags', 4)], before)
    expect(knownStates.get('tags')).toMatchObject({ position: 4 })
    expect(changes).toBe('*')
  })

  it('does not undo a rebuild that a notice has reported meanwhile', () => {
    const before = statesOf(state('tags', 10))
    const meanwhile = applyNotice(before, notice(10, 12, { moved: { tags: 2 } })).knownStates
    const { knownStates } = applyRows(meanwhile, [state('tags', 11)], before)
    expect(knownStates.get('tags')).toMatchObject({ generation: 2, position: 12 })
  })

  it('moves back to earlier tables, which belong to another history', () => {
    const before = statesOf(state('tags', 10, { generation: 2 }))
    const { knownStates, changes } = applyRows(before, [state('tags', 12)], before)
    expect(knownStates.get('tags')).toMatchObject({ generation: 1, position: 12 })
    expect(changes).toBe('*')
  })

  it('finds a switch to other tables at the same position', () => {
    const before = statesOf(state('tags', 10))
    const { changes } = applyRows(before, [state('tags', 10, { generation: 2 })], before)
    expect(changes).toBe('*')
  })

  it('finds a projection that runs again', () => {
    const before = statesOf(state('tags', 10, { status: 'failed' }))
    const { knownStates } = applyRows(before, [state('tags', 10), state('orders', 10)], before)
    expect(knownStates.get('tags')).toMatchObject({ status: 'running' })
  })
})

/** The read models as the database has them, moved by a leader that sees a rebuild only when it rejoins. */
function createDatabase() {
  const rows = new Map(['tags', 'orders'].map((name) => [name, state(name, 0)]))
  /** Generations of the projections that the leader moves. */
  let led = new Map<string, number>()
  let head = 0
  const change = (name: string, more: Partial<ProjectionState>) =>
    rows.set(name, { ...rows.get(name)!, ...more })
  const running = () => [...rows.values()].filter(({ status }) => status === 'running')
  const rejoin = () => {
    led = new Map(running().map(({ name, generation }) => [name, generation]))
  }
  rejoin()
  return {
    rows: () => [...rows.values()],
    rejoin,
    /** A batch of one event, which each projection changes for a company of its own; `stops` names who stops. */
    commit(stops?: string): Notice | undefined {
      // The leader begins at the lowest position, and gives up when a rebuild has switched one of its projections.
      if ([...led].some(([name, generation]) => rows.get(name)!.generation !== generation)) return undefined
      const from = Math.min(...[...led.keys()].map((name) => rows.get(name)!.position))
      const to = from + 1
      const taking = [...led.keys()].filter((name) => rows.get(name)!.position < to)
      if (taking.length === 0) return undefined
      head = Math.max(head, to)
      const stopped = taking.filter((name) => name === stops)
      const moving = taking.filter((name) => name !== stops)
      for (const name of moving) change(name, { position: to })
      for (const name of stopped) {
        change(name, { status: 'failed' })
        led.delete(name)
      }
      return {
        from,
        to,
        stopped,
        moved: Object.fromEntries(taking.map((name) => [name, rows.get(name)!.generation])),
        changed: moving.map((name) => ({ companyId: `${to}`, projection: name })),
      }
    },
    /** Puts the rows into new tables. A projection that had stopped reaches the position of the others. */
    rebuild(name: string) {
      const { status, position, generation } = rows.get(name)!
      const live = Math.max(...(running().length > 0 ? running().map((one) => one.position) : [head]))
      const to = status === 'running' ? position : Math.max(position, live)
      change(name, { status: 'running', generation: generation + 1, position: to })
      return { from: position, to }
    },
    resume: (name: string) => change(name, { status: 'running' }),
  }
}

/**
 * Notices come in order, or are lost. A node that commits a batch itself hears of it at once, too. A look shows the rows
 * as they were when it began. Projections stop, are rebuilt or resumed, and the leader takes them up again later.
 */
const verbs = ['commit', 'commit here', 'deliver', 'lose', 'begin look', 'end look', 'rejoin']
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...verbs) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('stop', 'rebuild', 'resume'), fc.constantFrom('tags', 'orders'))
      .map((words) => words.join(' ')),
  },
)

it('no position is ahead of its rows or their announcement, none goes back, and a look brings every change', () => {
  const run = (happenings: readonly string[]): void => {
    const database = createDatabase()
    let knownStates = statesOf(...database.rows())
    /** The notices of the leader, in order; undefined for a rebuild, which says only that anything may have changed. */
    const sent: (Notice | undefined)[] = []
    let delivered = 0
    /** Every change so far, and those of them that this node has been told of. */
    const changes: string[] = []
    const announced = new Set<string>()
    let looking: { rows: ProjectionState[]; before: KnownStates } | undefined

    const take = ({ knownStates: next, changes: news }: News) => {
      if (news === '*') for (const change of changes) announced.add(change)
      else for (const { companyId, projection } of news) announced.add(`${projection} ${companyId}`)
      for (const [name, { position }] of next)
        expect(position, `${name} goes back`).toBeGreaterThanOrEqual(knownStates.get(name)!.position)
      knownStates = next
    }
    const send = (notice: Notice | undefined) => {
      if (!notice) return
      sent.push(notice)
      for (const { companyId, projection } of notice.changed === '*' ? [] : notice.changed)
        changes.push(`${projection} ${companyId}`)
    }
    const act: Record<string, (name: string) => void> = {
      commit(here) {
        const notice = database.commit()
        send(notice)
        if (here && notice) take(applyNotice(knownStates, notice))
      },
      stop: (name) => send(database.commit(name)),
      rebuild(name) {
        const { from, to } = database.rebuild(name)
        for (let position = from + 1; position <= to; position++) changes.push(`${name} ${position}`)
        sent.push(undefined)
      },
      resume: database.resume,
      rejoin: database.rejoin,
      deliver() {
        if (delivered === sent.length) return
        const notice = sent[delivered++]
        take(notice ? applyNotice(knownStates, notice) : { knownStates, changes: '*' })
      },
      lose() {
        if (delivered < sent.length) delivered++
      },
      begin() {
        looking ??= { rows: database.rows(), before: knownStates }
      },
      end() {
        if (looking) take(applyRows(knownStates, looking.rows, looking.before))
        looking = undefined
      },
    }

    for (const what of [...happenings, 'end look', 'begin look', 'end look']) {
      const [verb, name] = what.split(' ') as [string, string]
      act[verb]!(name)
      for (const { name, position } of database.rows()) {
        const { position: known } = knownStates.get(name)!
        expect(known, `${name} is not there yet`).toBeLessThanOrEqual(position)
        for (const change of changes.filter((one) => one.startsWith(`${name} `)))
          if (Number(change.split(' ')[1]) <= known) expect(announced.has(change), change).toBe(true)
      }
    }
    expect([...knownStates.values()]).toEqual(database.rows())
  }
  fc.assert(fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), run))
})
