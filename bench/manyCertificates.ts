import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ExampleCertificate, readExamples } from '../src/cli/demo/examples.ts'
import {
  millCertificateKey,
  millCertificateStream,
  registerCertificate,
} from '../src/domain/certificates/certificate.ts'
import { type CertificateContent, certificateFields } from '../src/domain/certificates/certificateContent.ts'
import { mechanicalFields } from '../src/domain/certificates/materialTests.ts'
import { pick } from '../src/domain/kernel/fields.ts'
import { millCertificationIdOf } from '../src/domain/kernel/identifiers.ts'
import { concurrently } from '../src/lib/concurrently.ts'
import { noStream } from '../src/stores/eventStore.ts'
import { connectEventStore } from '../src/stores/eventStoreDb/connect.ts'
import type { MeasuredService } from './processes.ts'

/** A company with many certificates, for the measurements of rule packs. */

const appendsAtOnce = 128
const lookEveryMs = 500

/** Append certificates to the store directly: their registration is not what is measured. */
export async function registerMany(
  { dev: { eventStoreUrl, companyId } }: MeasuredService,
  certificates: number,
): Promise<void> {
  const store = connectEventStore(eventStoreUrl)
  const known = contents()
  const actor = { id: 'bench', name: 'Bench', kind: 'service' } as const
  const numbers = Array.from({ length: certificates }, (_, n) => n)
  await concurrently(appendsAtOnce, numbers, async (n) => {
    const [certificateNumber, heatNumber] = [`BENCH-${n}`, 'H 1']
    const millCertificationId = millCertificationIdOf(companyId, certificateNumber, heatNumber)
    const identity = { companyId, millCertificationId, certificateNumber, heatNumber, item: null }
    const [event] = registerCertificate(undefined, identity, known[n % known.length]!)
    const metadata = {
      actor,
      occurredAt: new Date().toISOString(),
      correlationId: randomUUID(),
      schemaVersion: 1,
      rulesAsOf: -1,
    }
    const stream = millCertificateStream(millCertificateKey(companyId, millCertificationId))
    await store.append(stream, noStream, [{ ...event!, id: randomUUID(), metadata }])
  })
  await store.close()
}

/** Return the examples' contents, with null for every value that a request may leave out. */
function contents(): readonly CertificateContent[] {
  const examples = readExamples().certificates as (ExampleCertificate & CertificateContent)[]
  return examples.map((example) => ({
    ...pick(certificateFields, example),
    mechanical: example.mechanical ? pick(mechanicalFields, example.mechanical) : null,
  }))
}

/** Wait until every projection and the policy have caught up. */
export async function settled({ url, token }: MeasuredService): Promise<void> {
  const headers = { authorization: `Bearer ${await token('operator')}` }
  for (;;) {
    const text = await (await fetch(`${url}/metrics`, { headers })).text()
    const lags = [...text.matchAll(/^heatmark_(?:projection|policy)_lag_seconds\S* (\S+)$/gm)]
    if (lags.length > 1 && lags.every(([, lag]) => lag === '0')) return
    await pause(lookEveryMs)
  }
}

/** @param company the URL of the company */
export async function evaluationOf(company: string, headers: Record<string, string>, pack: string) {
  const packs = (await (await fetch(`${company}/rule-packs`, { headers })).json()) as {
    id: string
    evaluation: { status: string; done: number; total: number }
  }[]
  return packs.find(({ id }) => id === pack)!.evaluation
}
