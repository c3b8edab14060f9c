import type { z } from 'zod'
import type { Outcome } from '../../../commands/command.ts'
import { checkPlan, createPlan, type PlanWithBars } from '../../../commands/productionPlans.ts'
import { runWorkflow } from '../../../commands/workflow.ts'
import { derivedId, lineItemIdOf, millCertificationIdOf, orderIdOf } from '../../../domain/identifiers.ts'
import { faultsOfJson } from '../body/json.ts'
import { asPointer, checked } from '../body/validate.ts'
import { problemOf, validationFailed } from '../problem.ts'
import { type BulkLines, beginBulkRun, type RunOutcome } from '../routing/bulkRun.ts'
import { authorOf, untilShown } from '../routing/commandRoute.ts'
import type { Exchange } from '../routing/route.ts'
import type { Services } from '../services.ts'
import { newPlan } from './plans.ts'

/** The records of an import are carried out by the same commands as single requests, or tried in a dry run. */
export interface ImportRun {
  /** Nothing is recorded. */
  readonly isDry: boolean
  /** Never throws: an error becomes the answer to the row. */
  carryOut(row: number, content: object): Promise<RunOutcome>
  /** Wait until the read models have applied the recorded events. */
  untilShown(): Promise<boolean>
  /** The position of the last event of all records. */
  position(): number
  end(): void
}

export type BeginImportRun = (
  exchange: Exchange,
  services: Services,
  isDry: boolean,
  sha256: string,
) => ImportRun

/** Records that a bulk request takes are imported as its lines, in the mode upsert. */
export function byLines<Path extends string, Body extends z.ZodType, Sent extends z.ZodType, Answer>(
  intake: BulkLines<Path, Body, Sent, Answer>,
): BeginImportRun {
  return (exchange, services, isDry) => {
    const query = { mode: 'upsert', ...(isDry && { dryRun: 'true' }) }
    const run = beginBulkRun(intake, { ...exchange, query }, services)
    return {
      isDry,
      carryOut: (number, content) => run.carryOut({ number, bytes: Buffer.from(JSON.stringify(content)) }),
      untilShown: run.untilShown,
      position: () => run.summary().commitPosition,
      end: run.end,
    }
  }
}

/** How long the end of the answer waits for the read models to apply the recorded events. */
const readModelsWithinMs = 10_000

/**
 * Plans name orders, line items and certificates by their numbers, from which the ids follow. The ids of the plan follow
 * from the file: the same file makes the same plan, however often it is imported.
 */
export const byPlans: BeginImportRun = (exchange, services, isDry, sha256) => {
  const companyId = exchange.params.companyId!
  const context = { actor: authorOf(exchange), correlationId: exchange.traceId }
  const tools = { ...services.executor, newId: services.newId }
  let furthest: { useCase: ReturnType<typeof createPlan>; outcome: Outcome<unknown> } | undefined
  return {
    isDry,
    async carryOut(line, content) {
      const id = derivedId(companyId, 'importedPlan', sha256, line)
      try {
        exchange.principal!.countRequest()
        await exchange.requireAccess()
        const plan = { ...planOf(companyId, id, content), planId: id }
        const useCase = createPlan(companyId, plan)
        const outcome: Outcome<PlanWithBars | undefined> = await runWorkflow(
          isDry ? checkPlan(companyId, plan) : useCase,
          tools,
          context,
        )
        if (outcome.position >= (furthest?.outcome.position ?? 0)) furthest = { useCase, outcome }
        const isNew = isDry ? outcome.body === undefined : outcome.recorded.length > 0
        const answer = {
          line,
          status: isNew ? 201 : 200,
          id,
          outcome: isNew ? 'created' : 'unchanged',
        } as const
        return { answer, revision: undefined }
      } catch (error) {
        const { status, code, message, members } = problemOf(error)
        return { answer: { line, status, code, detail: message, ...members }, revision: undefined }
      }
    },
    untilShown: async () =>
      furthest === undefined ||
      isDry ||
      untilShown(furthest.useCase, furthest.outcome, services, readModelsWithinMs),
    position: () => furthest?.outcome.position ?? 0,
    end: () => {},
  }
}

/** A plan as a table says it, with numbers in place of ids. */
interface NumberedPlan {
  readonly bars?: readonly NumberedBar[]
}
interface NumberedBar {
  readonly certificateNumber?: string
  readonly heatNumber?: string
  readonly item?: string
  readonly cuts?: readonly {
    readonly orderNumber?: string
    readonly lineNumber?: number
    readonly status?: string
  }[]
}

/** @throws Problem `validation-failed` */
function planOf(companyId: string, planId: string, content: object) {
  const { bars = [], ...rest } = content as NumberedPlan
  const numbered = {
    ...rest,
    bars: bars.map(({ certificateNumber, heatNumber, item, cuts = [], ...bar }, index) => ({
      ...bar,
      barId: derivedId(planId, 'bar', index),
      ...(isText(certificateNumber) &&
        isText(heatNumber) && {
          millCertificationId: millCertificationIdOf(companyId, certificateNumber, heatNumber, item),
        }),
      cuts: cuts.map(({ orderNumber, lineNumber, status, ...cut }, place) => ({
        ...cut,
        cutId: derivedId(planId, 'cut', index, place),
        status: status ?? 'Proposed',
        ...idsOf(companyId, orderNumber, lineNumber),
      })),
    })),
  }
  const { value, faults } = checked(newPlan, numbered, asPointer)
  // No read model could apply an event with NUL, and all companies would wait for it.
  const unstorable = faultsOfJson(content)
  if (unstorable.length + faults.length > 0) throw validationFailed([...unstorable, ...faults])
  return value
}

function idsOf(companyId: string, orderNumber: unknown, lineNumber: unknown) {
  if (!isText(orderNumber)) return {}
  const orderId = orderIdOf(companyId, orderNumber)
  return typeof lineNumber === 'number'
    ? { orderId, lineItemId: lineItemIdOf(companyId, orderId, lineNumber) }
    : { orderId }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
