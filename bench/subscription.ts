import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ExampleCertificate, readExamples } from '../src/cli/demo/examples.ts'
import { concurrently } from '../src/commands/concurrently.ts'
import type { CertificateContent } from '../src/domain/certificateContent.ts'
import { millCertificationIdOf } from '../src/domain/identifiers.ts'
import {
  millCertificateKey,
  millCertificateStream,
  registerCertificate,
} from '../src/domain/millCertificate.ts'
import { noStream } from '../src/eventStore.ts'
import { connectEventStore } from '../src/eventStoreDb/connect.ts'
import { type MeasuredService, residentMiB, startService } from './processes.ts'
import type { Figure } from './report.ts'

/**
 * A company with many certificates subscribes to a rule pack. Measures subjects evaluated a second, and the memory of
 * the service, which runs HTTP, projector and policy in one process.
 */

const section = 'subscription'
const certificates = 50_000
const pack = 'en10025-2-mechanical'
const appendsAtOnce = 128
const lookEveryMs = 500

export async function subscription(): Promise<Figure[]> {
  const service = await startService()
  try {
    await registerAll(service)
    await settled(service)
    const company = `${service.url}/api/company/${service.dev.companyId}`
    const headers = { authorization: `Bearer ${await service.token('admin')}` }
    const before = residentMiB(service.pid)
    const memory: number[] = []

    const began = performance.now()
    const subscribed = await fetch(`${company}/rule-packs/${pack}/subscribe`, { method: 'POST', headers })
    if (!subscribed.ok) throw new Error(`subscribing: ${subscribed.status} ${await subscribed.text()}`)
    let evaluation = await evaluationOf(company, headers)
    while (evaluation.status !== 'done') {
      await pause(lookEveryMs)
      memory.push(residentMiB(service.pid))
      evaluation = await evaluationOf(company, headers)
    }
    const seconds = (performance.now() - began) / 1_000
    if (evaluation.done < certificates) throw new Error(`${evaluation.done} of ${certificates} evaluated`)

    const third = Math.ceil(memory.length / 3)
    const first = Math.max(...memory.slice(0, third))
    const last = Math.max(...memory.slice(-third))
    const figure = (what: string, value: number, unit: string): Figure => ({ section, what, value, unit })
    return [
      figure(`${pack}, ${certificates} certificates`, evaluation.done / seconds, 'subjects/s'),
      figure('service process, before', before, 'MiB'),
      figure('service process, the most in the first third', first, 'MiB'),
      {
        ...figure('service process, the most in the last third', last, 'MiB'),
        ratio: { to: 'first third', value: last / first },
      },
      figure('service process, after', residentMiB(service.pid), 'MiB'),
    ]
  } finally {
    await service.stop()
  }
}

/** Append to the store directly: registration is not what is measured. */
async function registerAll({ dev: { eventStoreUrl, companyId } }: MeasuredService): Promise<void> {
  const store = connectEventStore(eventStoreUrl)
  const known = contents()
  const actor = { id: 'bench', name: 'Bench', kind: 'service' } as const
  const numbers = Array.from({ length: certificates }, (_, n) => n)
  await concurrently(appendsAtOnce, numbers, async (n) => {
    const [certificateNumber, heatNumber] = [`BENCH-${n}`, 'H 1']
    const millCertificationId = millCertificationIdOf(companyId, certificateNumber, heatNumber)
    const identity = { companyId, millCertificationId, certificateNumber, heatNumber }
    const [event] = registerCertificate(undefined, identity, known[n % known.length]!)
    const metadata = {
      ...{ actor, occurredAt: new Date().toISOString(), correlationId: randomUUID(), schemaVersion: 1 },
      rulesAsOf: -1,
    }
    const stream = millCertificateStream(millCertificateKey(companyId, millCertificationId))
    await store.append(stream, noStream, [{ ...event!, id: randomUUID(), metadata }])
  })
  await store.close()
}

/** Return the examples' contents, with null for every value that a request may leave out. */
function contents(): readonly CertificateContent[] {
  const absent = { standard: null, manufacturer: null, productForm: null, thicknessMm: null, issuedOn: null }
  const noValues = { reHMpa: null, rmMpa: null, a5Percent: null, kvJoule: null, kvTemperatureC: null }
  const examples = readExamples().certificates as (ExampleCertificate & CertificateContent)[]
  return examples.map(({ certificateNumber: _, heatNumber: __, chemistry, mechanical, ...content }) => ({
    ...{ ...absent, ...content },
    chemistry: chemistry ?? null,
    mechanical: mechanical ? { ...noValues, ...mechanical } : null,
  }))
}

/** Wait until every projection and the policy have caught up. */
async function settled({ url, token }: MeasuredService): Promise<void> {
  const headers = { authorization: `Bearer ${await token('operator')}` }
  for (;;) {
    const text = await (await fetch(`${url}/metrics`, { headers })).text()
    const lags = [...text.matchAll(/^heatmark_(?:projection|policy)_lag_seconds\S* (\S+)$/gm)]
    if (lags.length > 1 && lags.every(([, lag]) => lag === '0')) return
    await pause(lookEveryMs)
  }
}

async function evaluationOf(company: string, headers: Record<string, string>) {
  const packs = (await (await fetch(`${company}/rule-packs`, { headers })).json()) as {
    id: string
    evaluation: { status: string; done: number; total: number }
  }[]
  return packs.find(({ id }) => id === pack)!.evaluation
}
