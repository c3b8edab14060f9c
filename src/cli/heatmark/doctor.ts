import { defaultDataDir } from '../../config/config.ts'
import { readDevFile } from '../../embedded/devFile.ts'
import { clock, now } from '../../lib/clocks.ts'
import { findRelease, nameOf } from '../../lib/release.ts'
import { projections } from '../../projections/all.ts'
import { readModelsOf } from '../../projections/engine/schema/readModels.ts'
import { socketOf } from '../../stores/eventStoreDb/url.ts'
import { connectPostgres } from '../../stores/postgres/postgres.ts'
import { adviceOn } from './advice.ts'
import { eventStoreClock, postgresClock } from './doctor/clocks.ts'
import { checkDocuments } from './doctor/documents.ts'
import { checkEventStore } from './doctor/eventStore.ts'
import { type Finding, ok, problem, unknown } from './doctor/finding.ts'
import { checkProvider, providerAddress } from './doctor/identityProvider.ts'
import { checkLeaders } from './doctor/leaders.ts'
import { checkLocalSchema } from './doctor/localSchema.ts'
import { checkDisk } from './doctor/machine.ts'
import { checkPostgres } from './doctor/postgres.ts'
import { checkReadModels } from './doctor/readModels.ts'
import { checkUserIds } from './doctor/userIds.ts'
import { findDocumentsPlace } from './documents.ts'
import type { Output } from './output.ts'
import { lookForSchema } from './readModels.ts'
import { areEmbedded, openStores, storeUrls } from './stores.ts'

/** Check everything that the service depends on, and say what to do about each problem. Nothing is changed. */

/** Limit for an answer of PostgreSQL. */
const queryTimeoutMs = 10_000
/** One session that a check ends, and the ones that check. */
const connections = 3

const marks = { ok: 'ok      ', problem: 'PROBLEM ', warning: 'WARNING ', unknown: '?       ' }
const checkWidth = 32

/**
 * Check everything, and print the findings; return false when there is a problem.
 * @throws Error when no stores are named
 */
export async function examine(env: NodeJS.ProcessEnv, output: Output): Promise<boolean> {
  const dataDir = env.HEATMARK_DATA_DIR || defaultDataDir
  const dev = readDevFile(dataDir)
  const [stores, provider] = await Promise.all([
    storeFindings(env),
    checkProvider(providerAddress(env, dev === undefined ? undefined : JSON.parse(dev)), now),
  ])
  const findings = [
    ok('Heatmark', nameOf(findRelease())),
    ok('Node', process.versions.node),
    checkDisk(dataDir),
    ...stores,
    ...provider,
  ]
  const lines = findings.map(
    ({ check, status, found, todo }) =>
      `${marks[status]}${check.padEnd(checkWidth)} ${found}${todo ? `\n${' '.repeat(8)}→ ${todo}` : ''}`,
  )
  output.record(findings, lines.join('\n'))
  return findings.every(({ status }) => status !== 'problem')
}

/** Run a check. An error that keeps it from its work becomes a finding. */
async function inPlainWords(
  env: NodeJS.ProcessEnv,
  check: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    const todo =
      adviceOn(error, env) ??
      'use the same EVENTSTORE_URL and DATABASE_URL as the service; if you do, follow the advice above'
    return [problem(check, (error as Error).message, todo)]
  }
}

async function storeFindings(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const urls = storeUrls(env)
  const embedded = areEmbedded(env)
  const { eventStore, close } = openStores(urls)
  const postgres = connectPostgres({
    url: urls.databaseUrl,
    name: 'heatmark doctor',
    size: connections,
    queryTimeoutMs,
  })
  try {
    const [store, database] = await Promise.all([
      checkEventStore(eventStore, { url: urls.eventStoreUrl, isEmbedded: embedded.eventStore }, clock),
      checkPostgres(postgres, { url: urls.databaseUrl, isEmbedded: embedded.postgres }),
    ])
    const findings = [...store.findings, ...database.findings]
    if (embedded.eventStore) {
      // Only here: the check loads SQLite, and Node warns about that.
      const { checkStoredEvents } = await import('./doctor/storedEvents.ts')
      findings.push(checkStoredEvents(env.HEATMARK_DATA_DIR || defaultDataDir))
    }
    if (store.head !== undefined && socketOf(urls.eventStoreUrl) === undefined)
      findings.push(await eventStoreClock(urls.eventStoreUrl, now))
    if (!database.reachable)
      return [...findings, unknown('read models', 'cannot be checked without PostgreSQL')]
    const lookAtClock = async () => [await postgresClock(postgres, now)]
    findings.push(...(await inPlainWords(env, 'clock of PostgreSQL', lookAtClock)))
    const { storeId, head } = store
    if (!storeId || head === undefined)
      return [...findings, unknown('read models', 'cannot be found without the event store')]
    const means = { eventStore, postgres, storeId, head }
    const looked = await inPlainWords(env, 'read models', async () => {
      const readModels = readModelsOf(storeId, projections)
      const found = await lookForSchema(postgres, readModels.schema)
      const local = await checkLocalSchema(postgres)
      if (local.some(({ status }) => status === 'problem')) return local
      const leaders = found.fault
        ? { findings: [], isLed: false }
        : await checkLeaders({ ...means, readModels }, clock)
      const states = await checkReadModels({
        eventStore,
        postgres,
        readModels,
        look: found,
        head,
        clock,
        isLed: leaders.isLed,
      })
      if (found.fault) return [...local, ...leaders.findings, ...states]
      const files = await inPlainWords(env, 'documents', async () => [
        await checkDocuments(postgres, readModels, findDocumentsPlace(env)),
      ])
      const ids = await checkUserIds(postgres, readModels)
      return [...local, ...leaders.findings, ...states, ids, ...files]
    })
    return [...findings, ...looked]
  } finally {
    await Promise.all([close(), postgres.close()])
  }
}
