import { writeCompanyExport } from '../companyExports/write.ts'
import type { PackRequest } from '../domain/orderPacks.ts'
import { companyTables } from '../http/kit/lists/companyTables.ts'
import { problemOf } from '../http/kit/problem.ts'
import type { Services } from '../http/kit/services.ts'
import { routes } from '../http/routes.ts'
import { createRunRows } from '../runs/companyRuns.ts'
import { createRunner, type Runs } from '../runs/runner.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

type Needed = Pick<Services, 'executor' | 'companyLog' | 'exports' | 'documents' | 'rules'>

/** Start the runner of this process, which carries out the runs of companies. */
export function startRuns({ log, newId, now, shutdown }: Runtime, stores: Stores, services: Needed): Runs {
  const { requests, storeId, reader, readModels, eventStore, positions } = stores
  const options = { ...services, reader, readModels, eventStore, positions, newId }
  const tables = companyTables(routes, services)
  const runner = createRunner({
    rows: createRunRows(requests, storeId),
    perform: {
      async orderPack({ input, runId, startedBy, name }, tools) {
        // The library that writes PDF files takes 0.2 s to load, which a start does not need.
        const { issueOrderPack } = await import('../packs/issue.ts')
        const context = { actor: { ...startedBy, name }, correlationId: runId }
        return issueOrderPack(options, { asOf: null, ...input } as PackRequest, context, tools)
      },
      companyExport: ({ companyId }, tools) =>
        writeCompanyExport({ ...options, tables, now }, companyId, tools),
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
