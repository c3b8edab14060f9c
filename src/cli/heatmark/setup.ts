import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { registerCompany } from '../../commands/company/companies.ts'
import { introduceMember } from '../../commands/company/introduceMember.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { derivedId } from '../../domain/kernel/identifiers.ts'
import { noRuleBook } from '../../domain/rulePacks/ruleBook.ts'
import { name as companyName } from '../../http/kit/schemas/fields.ts'
import { clock, now } from '../../lib/clocks.ts'
import { createCommands } from '../../processes/parts/commands.ts'
import { settingFault } from '../../processes/parts/settingFault.ts'
import { prepareOnce } from '../../processes/parts/stores.ts'
import { followPositions } from '../../projections/engine/reading/waitFor.ts'
import { StoreUnavailable } from '../../stores/eventStore.ts'
import { PostgresUnavailable } from '../../stores/postgres/postgres.ts'
import { checkProvider, providerAddress } from './doctor/identityProvider.ts'
import type { Output } from './output.ts'
import type { Stores } from './stores.ts'

/** Prepares everything that the first start of a plant needs. A repeat finds what is there, and changes nothing. */

/** The author of the events, because nobody can log in yet. */
const installer = { id: 'heatmark-cli', name: 'Operator at the command line', kind: 'service' } as const
const namespace = '3a0d2e0c-6b0e-4a57-9f0b-7a0c6f1d8e42'
const cacheBytes = 1_048_576

interface FirstCompany {
  readonly name: string
  /** The user id of its first Admin. */
  readonly admin: string
}

/**
 * Return false when the identity provider does not work: everything else is done then.
 * @throws Error with one line that says what is wrong and what to do
 */
export async function setUp(
  stores: Stores,
  { name: given, admin }: FirstCompany,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<boolean> {
  const config = readConfig(env)
  const name = companyName.safeParse(given)
  if (!name.success) throw new Error(`--company ${name.error.issues[0]!.message}`)
  const { storeId, readModels } = await prepare(stores)
  output.record(
    { storeId, schema: readModels.schema },
    `the stores are prepared: schema ${readModels.schema}`,
  )

  const key = makeSigningKey(config.signingKey)
  output.record(
    { signingKey: key },
    key ?? 'no signing key: SIGNING_KEY names none, so histories are not signed',
  )

  const companyId = derivedId(namespace, storeId, name.data)
  await registerFirst({ ...stores, readModels }, { companyId, name: name.data, admin })
  output.record({ companyId, name: name.data, admin }, `company ${companyId} (${name.data}), Admin ${admin}`)

  const [provider] = await checkProvider(providerAddress(env, undefined), now)
  const { found, todo } = provider!
  output.record(provider, `identity provider: ${found}${todo ? `\n→ ${todo}` : ''}`)
  return todo === undefined
}

/** Make the key that signs histories, unless the file is there or a program signs. */
function makeSigningKey(place: Config['signingKey']): string | undefined {
  if (!place) return undefined
  const { file, command } = place
  if (command) return `signing key: ${command} signs`
  if (existsSync(file)) return `signing key: ${file}`
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  return `signing key: ${file}, made just now. Keep a copy where this machine cannot lose it.`
}

async function prepare({ eventStore, postgres }: Stores) {
  try {
    return await prepareOnce({ newId: randomUUID, now }, eventStore, postgres)
  } catch (error) {
    const isOfStore = error instanceof StoreUnavailable || error instanceof PostgresUnavailable
    const fault = isOfStore ? settingFault(error) : undefined
    throw fault ? new Error(fault) : error
  }
}

async function registerFirst(
  {
    eventStore,
    postgres,
    databaseUrl,
    readModels,
  }: Stores & Pick<Awaited<ReturnType<typeof prepare>>, 'readModels'>,
  { companyId, name, admin }: FirstCompany & { readonly companyId: string },
): Promise<void> {
  const positions = followPositions({ url: databaseUrl, readModels, clock, now })
  try {
    const { executor } = createCommands(
      { clock, now, newId: randomUUID, cacheBytes },
      { eventStore, requests: postgres, readModels, positions },
      noRuleBook,
    )
    const context = { actor: installer, correlationId: randomUUID() }
    await executor.execute(registerCompany(companyId, name), context)
    await executor.execute(introduceMember(companyId, admin, ['Admin']), context)
  } finally {
    await positions.close()
  }
}
