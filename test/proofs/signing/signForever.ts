import { createPrivateKey } from 'node:crypto'
import { signCheckpoint } from '../../../src/proofs/signing/signer.ts'
import { signingKey } from '../../../src/proofs/signing/signingKey.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
import { connectPostgres } from '../../../src/stores/postgres/postgres.ts'

/** A process that signs checkpoints of a company, one after the other, and prints them, until it is killed. */

const [eventStoreUrl, databaseUrl, storeId, companyId, pem] = process.argv.slice(2)
const eventStore = connectEventStore(eventStoreUrl!)
const postgres = connectPostgres({ url: databaseUrl!, name: 'spec signer', size: 1 })
const key = signingKey(createPrivateKey(pem!))
for (let turn = 0; ; turn += 1) {
  const how = turn % 5 === 0 ? 'reread' : 'continue'
  const { note } = await signCheckpoint(
    { eventStore, postgres, storeId: storeId!, keys: { own: async () => key } },
    companyId!,
    how,
  )
  process.stdout.write(`${JSON.stringify(note)}\n`)
}
