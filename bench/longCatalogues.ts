import { randomUUID } from 'node:crypto'
import { createStates } from '../src/commands/executor/states.ts'
import { createTag, tagCatalogue, updateTag } from '../src/domain/tags/tagCatalogue.ts'
import { loadRulePacks } from '../src/rulePacks/load.ts'
import { createRuleBook } from '../src/rulePacks/ruleBook.ts'
import { type EventStore, noStream } from '../src/stores/eventStore.ts'
import { connectEventStore } from '../src/stores/eventStoreDb/connect.ts'
import { type MeasuredService, withService } from './processes.ts'
import { createChance } from './replay/chance.ts'
import { createStream, type PastEvent } from './replay/stream.ts'
import { type Figure, median, percentile } from './report.ts'
import { send } from './request.ts'

/**
 * Compares new tags in catalogues that have long histories with new tags in catalogues that have none. The
 * companies take turns, so this shows whether a command must read a history again. Then measures how long a process
 * without these catalogues in memory folds them.
 */

const section = 'long catalogues'
const companies = 5
const tags = 1_000
const updates = 60_000
const createsEach = 100
const inOneAppend = 500
const caughtUpWithinMs = 600_000
const coldRounds = 3

export function longCatalogues(): Promise<Figure[]> {
  return withService(async (service) => {
    const token = await service.token('platformAdmin')
    const [old, young]: [Company[], Company[]] = [[], []]
    for (let n = 0; n < companies; n += 1)
      for (const some of [old, young]) some.push(await register(service, token))
    await recordHistories(service, token, old)
    const first: number[] = []
    for (const { url } of old) first.push(await create(url, token, 'The first'))
    for (const { url } of young) await create(url, token, 'The first')

    const readBefore = await fullReads(service)
    const times = await createInTurn(token, { old, young })
    const reads = (await fullReads(service)) - readBefore
    return [...figuresOf(first, times, reads), ...(await coldLoads(service, old))]
  })
}

interface Company {
  readonly companyId: string
  readonly url: string
}

/** Values of companies with a history (old), and of companies without one (young). */
interface Both<Value> {
  readonly old: Value[]
  readonly young: Value[]
}

async function createInTurn(token: string, { old, young }: Both<Company>): Promise<Both<number>> {
  const times: Both<number> = { old: [], young: [] }
  for (let n = 0; n < createsEach; n += 1)
    for (let which = 0; which < companies; which += 1) {
      times.old.push(await create(old[which]!.url, token, `New ${n}`))
      times.young.push(await create(young[which]!.url, token, `New ${n}`))
    }
  return times
}

function figuresOf(first: number[], times: Both<number>, reads: number): Figure[] {
  const what = `new tags for ${companies} companies of ${updates.toLocaleString('en')} updates each, in turn`
  const beside = (fraction: number): Figure => {
    const value = percentile(times.old, fraction)
    const ratio = { to: 'without a history', value: value / percentile(times.young, fraction) }
    return { section, what: `${what}, p${fraction * 100}`, value, unit: 'ms', ratio }
  }
  return [
    { section, what: 'the first, which reads the history', value: median(first), unit: 'ms' },
    beside(0.5),
    beside(0.99),
    { section, what: `${what}: histories read again`, value: reads, unit: 'reads' },
  ]
}

/** Fold each long catalogue in a state of its own. */
async function coldLoads({ dev }: MeasuredService, old: Company[]): Promise<Figure[]> {
  const store = connectEventStore(dev.eventStoreUrl)
  const times: (readonly [number, number])[] = []
  try {
    for (let round = 0; round < coldRounds; round += 1)
      for (const { companyId } of old) times.push(await coldLoad(store, companyId))
  } finally {
    await store.close()
  }
  const events = `${(tags + updates).toLocaleString('en')} events`
  return [
    { section, what: `cold load of ${events}`, value: median(times.map(([load]) => load)), unit: 'ms' },
    {
      section,
      what: `answer to a repeated request in ${events}`,
      unit: 'ms' as const,
      value: median(times.map(([, again]) => again)),
    },
  ]
}

/** Return the milliseconds of a load, and of going back to the last event as for a repeated request. */
async function coldLoad(store: EventStore, companyId: string): Promise<readonly [number, number]> {
  const states = createStates(store, 100_000_000)
  const began = performance.now()
  const { position, revision } = await states.load(tagCatalogue, companyId)
  const loaded = performance.now()
  await states.asOf(tagCatalogue, companyId, position, revision)
  return [loaded - began, performance.now() - loaded]
}

async function register({ url }: MeasuredService, token: string): Promise<Company> {
  const companyId = randomUUID()
  await send(`${url}/api/companies`, token, 'POST', { companyId, name: 'Company' })
  return { companyId, url: `${url}/api/company/${companyId}/millcert-tags` }
}

/** Create a tag. Return how many milliseconds that took. */
async function create(url: string, token: string, name: string): Promise<number> {
  const began = performance.now()
  await send(url, token, 'POST', { name, color: '#1f77b4' })
  return performance.now() - began
}

/** The number of commands that found no state in memory, so that they read a stream from its start. */
async function fullReads({ url, token }: MeasuredService): Promise<number> {
  const headers = { authorization: `Bearer ${await token('operator')}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return Number(
    /^heatmark_cache_requests_total\{cache="commands",result="miss"\} (\d+)/m.exec(text)?.[1] ?? 0,
  )
}

async function recordHistories(service: MeasuredService, token: string, old: Company[]): Promise<void> {
  const store = connectEventStore(service.dev.eventStoreUrl)
  let position = 0
  for (const { companyId } of old) position = await write(store, await pastOf(companyId))
  await store.close()
  const until = performance.now() + caughtUpWithinMs
  const headers = { authorization: `Bearer ${token}`, 'min-position': String(position) }
  while ((await fetch(old[0]!.url, { headers })).status !== 200)
    if (performance.now() > until) throw new Error('the read models did not catch up')
}

/** A catalogue whose tags were changed again and again, decided by the domain itself. */
async function pastOf(companyId: string): Promise<PastEvent[]> {
  const events: PastEvent[] = []
  const past = {
    chance: createChance(7),
    rules: createRuleBook(await loadRulePacks()),
    actors: [{ id: 'user-1', name: 'Edith Editor', kind: 'user' }] as const,
    now: () => new Date(Date.now() - 172_800_000).toISOString(),
  }
  const catalogue = createStream(past, (event) => events.push(event), tagCatalogue, companyId)
  const content = (n: number) => ({
    color: '#1f77b4',
    severity: null,
    name: `Past ${n % tags}`,
    description: `The shop has to know this about it, in wording ${n}`,
  })
  for (let n = 0; n < tags; n += 1)
    catalogue.decide((state, context) =>
      createTag(state, { companyId, family: 'millCert', content: content(n) }, context),
    )
  const known = [...catalogue.state.tags.keys()]
  for (let n = 0; n < updates; n += 1)
    catalogue.decide((state) => {
      const tag = state.tags.get(known[n % tags]!)!
      return updateTag(state, tag, { ...content(tags + n), name: tag.name })
    })
  return events
}

/** Append the events. Return the position of the last one. */
async function write(store: EventStore, events: readonly PastEvent[]): Promise<number> {
  let [revision, position] = [noStream, 0]
  for (let from = 0; from < events.length; from += inOneAppend) {
    const some = events.slice(from, from + inOneAppend)
    const appended = await store.append(
      some[0]!.stream,
      revision,
      some.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
    )
    ;({ revision, position } = appended)
  }
  return position
}
