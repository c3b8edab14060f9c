import { randomUUID } from 'node:crypto'
import { registerCompany } from '../../commands/company/companies.ts'
import { introduceMember } from '../../commands/company/introduceMember.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { derivedId } from '../../domain/kernel/identifiers.ts'
import { makeKeyFile } from '../../embedded/checkpointKey.ts'
import { name as companyName } from '../../http/kit/schemas/fields.ts'
import { readTls } from '../../http/kit/server/server.ts'
import { now } from '../../lib/clocks.ts'
import { prepareOnce } from '../../processes/parts/stores.ts'
import { adviceOn } from './advice.ts'
import { checkDocuments } from './doctor/documents.ts'
import { type Finding, problem } from './doctor/finding.ts'
import { checkProvider, providerAddress } from './doctor/identityProvider.ts'
import { operator, withCommands } from './executor.ts'
import type { Output } from './output.ts'
import type { Stores } from './stores.ts'

/** Prepares everything that the first start of a plant needs. A repeat finds what is there, and changes nothing. */

const namespace = '3a0d2e0c-6b0e-4a57-9f0b-7a0c6f1d8e42'

interface FirstCompany {
  readonly name: string
  /** The user id of its first Admin. */
  readonly admin: string
}

/**
 * Read the settings, and the files of TLS, before the stores are opened.
 * @throws Error that lists every fault of the settings
 */
export function settingsOf(env: NodeJS.ProcessEnv): Config {
  const config = readConfig(env)
  if (config.http.tls) readTls(config.http.tls)
  return config
}

/**
 * Return false when the place for documents or the identity provider does not work: everything else is done then.
 * @throws Error with one line that says what is wrong and what to do
 */
export async function setUp(
  stores: Stores,
  { name: given, admin }: FirstCompany,
  { config, env }: { readonly config: Config; readonly env: NodeJS.ProcessEnv },
  output: Output,
): Promise<boolean> {
  const name = companyName.safeParse(given)
  if (!name.success) throw new Error(`--company ${name.error.issues[0]!.message}`)
  const { storeId, readModels } = await prepareOnce(
    { newId: randomUUID, now },
    stores.eventStore,
    stores.postgres,
  )
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
  const context = { actor: operator, correlationId: randomUUID() }
  await withCommands(stores, readModels, async ({ executor }) => {
    await executor.execute(registerCompany(companyId, name.data), context)
    await executor.execute(introduceMember(companyId, admin, ['Admin']), context)
  })
  output.record({ companyId, name: name.data, admin }, `company ${companyId} (${name.data}), Admin ${admin}`)

  const place = await checkDocuments(stores.postgres, readModels, config.documents).catch((error: Error) =>
    problem('documents', error.message, adviceOn(error, env) ?? 'follow the advice above'),
  )
  const [provider] = await checkProvider(providerAddress(env, undefined), now)
  const findings: readonly Finding[] = [place, provider!]
  for (const finding of findings) {
    const { check, found, todo } = finding
    output.record(finding, `${check}: ${found}${todo ? `\n→ ${todo}` : ''}`)
  }
  return findings.every(({ status }) => status !== 'problem')
}

/** Say where the key is that signs histories, and make it unless it is there or a program signs. */
function makeSigningKey(place: Config['signingKey']): string | undefined {
  if (!place) return undefined
  const { file, command } = place
  if (command) return `signing key: ${command} signs`
  const isNew = keyFileMade(file)
  return `signing key: ${file}${isNew ? ', made just now. Keep a copy where this machine cannot lose it.' : ''}`
}

/** @throws Error of one line that names the setting */
function keyFileMade(file: string): boolean {
  try {
    return makeKeyFile(file)
  } catch (error) {
    throw new Error(`SIGNING_KEY: ${(error as Error).message}`)
  }
}
