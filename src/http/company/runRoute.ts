import { z } from 'zod'
import { derivedId } from '../../domain/kernel/identifiers.ts'
import type { Permission } from '../../identity/permissions.ts'
import type { RunKind } from '../../processes/runs/companyRuns.ts'
import { authorOf } from '../kit/routing/commandContext.ts'
import { idempotencyKey, keyIn } from '../kit/routing/idempotency.ts'
import { send } from '../kit/routing/respond.ts'
import { type Exchange, pathWith, type Route } from '../kit/routing/route.ts'
import type { Services } from '../kit/services.ts'
import { companyRun } from './companyRun.ts'

/** Routes that begin a run of a company, whose result is a file. */

export const runHeaders = z.object({ 'idempotency-key': idempotencyKey })

export const runResponses = {
  202: {
    description: 'The run has begun, now or by an earlier request with the same Idempotency-Key.',
    schema: companyRun,
    headers: ['Location'],
  },
} as const satisfies Route['responses']

export const runProblems = [
  'idempotency-key-reused',
  'too-many-large-reads',
  'documents-unavailable',
  'documents-full',
] as const satisfies Route['problems']

/** Begin a run, and answer it. @throws Refusal 422, 503; Failure `objects-unavailable` */
export async function beginRun(
  exchange: Exchange,
  services: Services,
  { kind, input }: { readonly kind: RunKind; readonly input: object },
): Promise<void> {
  const companyId = exchange.params.companyId!
  // Without a store of documents no file can be kept, so the caller is told now.
  await services.documents.objects()
  const { principal, route } = exchange
  const author = authorOf(exchange)
  const { company: permission } = route.access as { readonly company: Permission }
  const { run, isNew } = await services.runs.begin({
    companyId,
    runId: runIdOf(exchange, services, author.id),
    kind,
    input,
    requestHash: exchange.requestHash(),
    startedBy: { id: author.id, kind: author.kind, keyId: principal?.apiKey?.keyId, permission },
    name: author.name,
  })
  await send(exchange.res, {
    status: 202,
    headers: {
      'Cache-Control': 'no-store',
      Location: `/api/company/${companyId}/runs/${run.runId}`,
      'Idempotent-Replayed': isNew ? undefined : 'true',
    },
    body: Buffer.from(JSON.stringify(run)),
  })
}

/** A repeated request with the same Idempotency-Key has the same run. */
function runIdOf({ route, params, headers }: Exchange, { newId }: Services, caller: string): string {
  const key = keyIn(headers)
  if (key === undefined) return newId()
  return derivedId(params.companyId!, 'run', caller, pathWith(route.path, params), key)
}
