import { forbidden } from '../../domain/kernel/refusal.ts'
import type { PackRequest } from '../../domain/orders/orderPacks.ts'
import { companyTables } from '../../http/kit/lists/companyTables.ts'
import { problemOf } from '../../http/kit/problem.ts'
import type { Services } from '../../http/kit/services.ts'
import { routes } from '../../http/routes.ts'
import type { StillMay } from '../../identity/stillMay.ts'
import { writeCompanyExport } from '../../proofs/companyExports/write.ts'
import type { ClaimedRun } from '../runs/companyRuns.ts'
import { createRunner, type Runs } from '../runs/runner.ts'
import { createRunRows } from '../runs/runRows.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

type Needed = Pick<Services, 'executor' | 'companyLog' | 'exports' | 'documents' | 'rules' | 'ownRules'> & {
  readonly stillMay: StillMay
}

/** Start the runner of this process, which carries out the runs of companies. */
export function startRuns(
  { log, newId, now, clock, shutdown }: Runtime,
  stores: Stores,
  { stillMay, ...services }: Needed,
): Runs {
  const { requests, storeId, reader, readModels, eventStore, positions } = stores
  const options = { ...services, reader, readModels, eventStore, positions, newId }
  const tables = companyTables(routes, services)
  /** @throws Refusal 403 */
  const requireAccess = async ({ companyId, startedBy }: ClaimedRun): Promise<void> => {
    const { id: userId, keyId, permission } = startedBy
    if (!(await stillMay({ companyId, userId, keyId, permission }))) throw forbidden(lostAccess)
  }
  const runner = createRunner({
    rows: createRunRows(requests, storeId),
    perform: {
      async orderPack(run, tools) {
        const { input, runId, startedBy, name } = run
        const check = () => requireAccess(run)
        await check()
        // The library that writes PDF files takes 0.2 s to load, which a start does not need.
        const { issueOrderPack } = await import('../../proofs/orderPacks/issue.ts')
        const context = { actor: { id: startedBy.id, kind: startedBy.kind, name }, correlationId: runId }
        return issueOrderPack(options, input as PackRequest, context, { ...tools, requireAccess: check })
      },
      async companyExport(run, tools) {
        await requireAccess(run)
        return writeCompanyExport({ ...options, tables, now, clock }, run.companyId, tools)
      },
    },
    errorOf(error) {
      const { status, code, message } = problemOf(error)
      if (status === 500) log.error({ err: error }, 'a run has failed')
      return { code, detail: message }
    },
    onError: (error) => log.warn(`runs of companies: ${error.message}`),
  })
  shutdown.add('runs of companies', () => runner.close())
  return runner
}

const lostAccess =
  'The account or API key that asked for this no longer has the role for it, so nothing was made. Somebody who has the role can ask for it again.'
