import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createExecutor } from '../src/commands/executor/execute.ts'
import { subscribeRulePack } from '../src/commands/rulePacks/rulePacks.ts'
import {
  type MillCertificateRegistered,
  millCertificateKey,
  millCertificateStream,
} from '../src/domain/certificates/certificate.ts'
import { certificateFields } from '../src/domain/certificates/certificateContent.ts'
import type { Actor } from '../src/domain/kernel/event.ts'
import { pick } from '../src/domain/kernel/fields.ts'
import { startPostgres } from '../src/embedded/postgres.ts'
import { clock, now } from '../src/lib/clocks.ts'
import { loadRulePacks } from '../src/rulePacks/load.ts'
import { createRuleBook } from '../src/rulePacks/ruleBook.ts'
import { noStream } from '../src/stores/eventStore.ts'
import { noNames } from '../test/support/noNames.ts'
import {
  leaderOf,
  losses,
  type Member,
  openStores,
  type Role,
  type Stores,
  startMember,
} from './failover/members.ts'
import { startNode } from './processes.ts'
import { circumstances, median } from './report.ts'

/**
 * `npm run measure [-- --rounds 5]`: measures how long it takes until another process does a lost leader's work.
 * Three processes run. The leader is killed, stopped, or cut off from PostgreSQL, and a certificate is
 * registered. The time ends when its rows are there (projector) or its rules are evaluated (policies).
 */
const options = parseArgs({ options: { rounds: { type: 'string', default: '5' } } }).values
const rounds = Number(options.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds must be a whole number from 1 on, not ${options.rounds}`)
  process.exit(2)
}

const rulePackId = 'completeness'
const actor: Actor = { id: 'measure', name: 'Measure', kind: 'service' }
const tooLongMs = 60_000

type Registered = Awaited<ReturnType<typeof registerCertificate>>

/** Tell whether the role has done its work on the certificate. */
const isDone: Record<Role, (stores: Stores, registered: Registered) => Promise<boolean>> = {
  async projector({ postgres }, { position }) {
    const [schema] = await postgres.query<{ name: string }>(
      "SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^heatmark_[0-9a-f]{32}_'",
    )
    const [row] = await postgres.query<{ position: number }>(
      `SELECT min(position) AS position FROM "${schema!.name}".projection`,
    )
    return row!.position >= position
  },
  async policies({ eventStore }, { stream }) {
    for await (const { type } of eventStore.readStream(stream, 1))
      if (type === 'RuleAssignmentsReplaced') return true
    return false
  },
}

interface Measured {
  readonly role: Role
  readonly how: string
  readonly milliseconds: readonly number[]
}

const folder = mkdtempSync(join(tmpdir(), 'heatmark-measure-'))
const stops: (() => Promise<unknown>)[] = []
try {
  const [node, database] = await Promise.all([
    startNode(join(folder, 'events.sqlite')),
    startPostgres({ dataDir: folder, log: console.error }),
  ])
  const stores = openStores(node.url, database.url)
  stops.push(node.stop, database.stop, stores.postgres.close, stores.eventStore.close)
  const companyId = randomUUID()
  await subscribe(stores, companyId)
  const projectors = await measureRole(stores, 'projector', companyId)
  // The policy looks subjects up in read models, so a projector must run beside it.
  const projector = await startMember(stores, 'projector', 'projector')
  stops.push(projector.end)
  const policies = await measureRole(stores, 'policies', companyId)
  const { date, commit, node: version, cpus, memoryGiB } = circumstances()
  console.log(`${date}, commit ${commit}, Node ${version}, ${cpus}, ${memoryGiB} GiB\n`)
  console.log(asTable([...projectors, ...policies]))
} finally {
  for (const stop of stops.reverse()) await stop().catch((error: Error) => console.error(error.message))
  rmSync(folder, { recursive: true, force: true })
}

/** Poll every few milliseconds. @throws Error after a minute */
async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + tooLongMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not so after ${tooLongMs / 1_000} s: ${what}`)
    await pause(5)
  }
}

/** Register as a node that has not seen the subscription, so the evaluation is left to the policy. */
async function registerCertificate({ eventStore }: Stores, companyId: string) {
  const millCertificationId = randomUUID()
  const event: MillCertificateRegistered = {
    type: 'MillCertificateRegistered',
    data: {
      companyId,
      millCertificationId,
      certificateNumber: millCertificationId,
      heatNumber: 'H 1',
      item: null,
      ...pick(certificateFields, {
        standard: 'EN 10025-2',
        grade: 'S355J2+N',
        inspectionDocument: '3.1',
        productForm: 'Plate',
        thicknessMm: 20,
      }),
    },
  }
  const stream = millCertificateStream(millCertificateKey(companyId, millCertificationId))
  const metadata = { actor, occurredAt: new Date().toISOString(), correlationId: 'measure', schemaVersion: 1 }
  const { position } = await eventStore.append(stream, noStream, [{ ...event, id: randomUUID(), metadata }])
  return { stream, position }
}

async function subscribe({ eventStore: store }: Stores, companyId: string): Promise<void> {
  const rules = createRuleBook(await loadRulePacks())
  const { execute } = createExecutor({
    store,
    persons: noNames,
    rules,
    newId: randomUUID,
    cacheBytes: 1_048_576,
    now,
    clock,
  })
  await execute(subscribeRulePack(companyId, rulePackId), { actor, correlationId: 'measure' })
}

async function measureRole(stores: Stores, role: Role, companyId: string): Promise<Measured[]> {
  const members: Member[] = []
  const leader = () => leaderOf(stores, role, members)
  try {
    for (const name of ['a', 'b', 'c']) members.push(await startMember(stores, role, `${role} ${name}`))
    const measured: Measured[] = []
    for (const [how, { lose, back }] of Object.entries(losses)) {
      const milliseconds: number[] = []
      for (let round = 0; round < rounds; round++) {
        const before = await registerCertificate(stores, companyId)
        await until(`a process leads the ${role}`, async () => (await leader()) !== undefined)
        await until('the leader has done the work before its loss', () => isDone[role](stores, before))
        const lost = (await leader())!
        lose(lost)
        const started = performance.now()
        const registered = await registerCertificate(stores, companyId)
        await until('another process has done the work', () => isDone[role](stores, registered))
        milliseconds.push(performance.now() - started)
        const next = await leader()
        if (next === lost) throw new Error(`${how}: ${lost.name} still leads`)
        console.error(`${role}, ${how}: ${Math.round(milliseconds.at(-1)!)} ms`)
        await back(lost)
      }
      measured.push({ role, how, milliseconds })
    }
    return measured
  } finally {
    for (const member of members) await member.end()
  }
}

function asTable(measured: readonly Measured[]): string {
  return [
    '| role | leader lost by | rounds | min ms | median ms | max ms |',
    '|---|---|---|---|---|---|',
    ...measured.map(({ role, how, milliseconds }) => {
      const [least, middle, most] = [
        Math.min(...milliseconds),
        median(milliseconds),
        Math.max(...milliseconds),
      ].map(Math.round)
      return `| ${role} | ${how} | ${milliseconds.length} | ${least} | ${middle} | ${most} |`
    }),
  ].join('\n')
}
