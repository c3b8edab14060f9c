import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { checkPlan, createPlan, type NewPlan, type PlanWithBars } from '../../../commands/bars/plans.ts'
import type { Outcome } from '../../../commands/executor/command.ts'
import { runWorkflow } from '../../../commands/executor/workflow.ts'
import {
  derivedId,
  lineItemIdOf,
  millCertificationIdOf,
  orderIdOf,
} from '../../../domain/kernel/identifiers.ts'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import { maxListedFaults } from '../../../problems/requests.ts'
import { type Checked, checkBody } from '../../kit/body/validate.ts'
import { problemOf, validationFailed } from '../../kit/problem.ts'
import { type BulkLines, beginBulkRun, type RunOutcome } from '../../kit/routing/bulkRun.ts'
import { waitUntilShown } from '../../kit/routing/commandAnswer.ts'
import { authorOf } from '../../kit/routing/commandContext.ts'
import type { Exchange } from '../../kit/routing/route.ts'
import type { Services } from '../../kit/services.ts'
import { mostBars, newBar, newPlan, tooManyBars } from './plans.ts'

/** The records of an import are carried out by the same commands as single requests, or tried in a dry run. */
export interface ImportRun {
  /** Nothing is recorded. */
  readonly isDry: boolean
  /** Never throws: an error becomes the answer to the row. */
  carryOut(row: number, content: object): Promise<RunOutcome>
  /** Wait until the read models have applied the recorded events. */
  waitUntilShown(): Promise<boolean>
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
      waitUntilShown: run.waitUntilShown,
      position: () => run.summary().commitPosition,
      end: run.end,
    }
  }
}

/** The longest time that the end of the answer waits until the read models have applied the recorded events. */
const readModelsWithinMs = 10_000

/**
 * Plans name orders, line items and certificates by their numbers, from which the ids follow. The ids of the plan follow
 * from the file: the same file makes the same plan, however often it is imported.
 */
export const byPlans: BeginImportRun = (exchange, services, isDry, sha256) => {
  const companyId = exchange.params.companyId!
  const { traceId: correlationId, requireAccess } = exchange
  const context = { actor: authorOf(exchange), correlationId, requireAccess }
  const tools = { ...services.executor, newId: services.newId }
  let furthest: { useCase: ReturnType<typeof createPlan>; outcome: Outcome<unknown> } | undefined
  return {
    isDry,
    async carryOut(line, content) {
      const id = derivedId(companyId, 'importedPlan', sha256, line)
      try {
        exchange.principal!.countRequest()
        const plan = { ...(await planOf(companyId, id, content)), planId: id }
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
        const errors = inNumbers(members?.errors, content)
        return { answer: { line, status, code, detail: message, ...members, ...errors }, revision: undefined }
      }
    },
    waitUntilShown: async () =>
      furthest === undefined ||
      isDry ||
      waitUntilShown(furthest.useCase, furthest.outcome, services, readModelsWithinMs),
    position: () => furthest?.outcome.position ?? 0,
    end: () => {},
  }
}

const text = z.string().optional()

/** A bar as a table has it, with numbers in place of ids. `newBar` checks the other fields. */
const numberedBar = z
  .looseObject({
    certificateNumber: text,
    heatNumber: text,
    item: text,
    cuts: z
      .array(z.looseObject({ orderNumber: text, lineNumber: z.number().optional(), status: text }))
      .optional(),
  })
  .superRefine(({ certificateNumber, heatNumber }, { addIssue }) => {
    const missing = certificateNumber === undefined ? 'certificateNumber' : 'heatNumber'
    if ((certificateNumber === undefined) !== (heatNumber === undefined))
      addIssue({
        code: 'custom',
        path: [missing],
        params: { fault: 'required' },
        message: 'is required: a certificate is known by its number and its heat number',
      })
  })

/**
 * Return the plan that a row of a table gives. A plan may have tens of thousands of cuts, so other requests have their
 * turn after each bar, and no more faults are gathered than an answer lists.
 * @throws Problem `validation-failed`
 */
export async function planOf(companyId: string, planId: string, content: object): Promise<NewPlan> {
  const { bars: given = [], ...rest } = content as { readonly bars?: unknown }
  const read = Array.isArray(given) ? (given as readonly unknown[]) : []
  const whole = checkValue(newPlan, { ...rest, bars: Array.isArray(given) ? [] : given })
  const faults = [...whole.faults]
  if (read.length > mostBars) faults.push({ path: '/bars', code: 'out-of-bounds', message: tooManyBars })
  const bars: z.output<typeof newBar>[] = []
  for (const [index, bar] of read.slice(0, mostBars).entries()) {
    const one = barOf({ companyId, planId, index }, bar)
    for (const fault of one.faults) faults.push({ ...fault, path: `/bars/${index}${fault.path}` })
    if (faults.length >= maxListedFaults) break
    bars.push(one.value)
    await nextTurn()
  }
  if (faults.length > 0) throw validationFailed(faults)
  return { ...whole.value, bars }
}

interface PlaceOfBar {
  readonly companyId: string
  readonly planId: string
  readonly index: number
}

function barOf({ companyId, planId, index }: PlaceOfBar, given: unknown): Checked<typeof newBar> {
  const numbered = checkValue(numberedBar, given)
  if (numbered.faults.length > 0) return { value: undefined as never, faults: numbered.faults }
  const { certificateNumber, heatNumber, item, cuts = [], ...bar } = numbered.value
  return checkValue(newBar, {
    ...bar,
    barId: derivedId(planId, 'bar', index),
    ...(certificateNumber !== undefined &&
      heatNumber !== undefined && {
        millCertificationId: millCertificationIdOf(companyId, certificateNumber, heatNumber, item),
      }),
    cuts: cuts.map(({ orderNumber, lineNumber, status, ...cut }, place) => ({
      ...cut,
      cutId: derivedId(planId, 'cut', index, place),
      status: status ?? 'Proposed',
      ...(orderNumber !== undefined && idsOf(companyId, orderNumber, lineNumber)),
    })),
  })
}

type NumberedBar = z.output<typeof numberedBar>

const unknownInPlan = /^(\/bars\/(\d+)\/(?:cuts\/(\d+)\/)?)(orderId|lineItemId|millCertificationId)$/

/** Name the records that a plan does not find by their numbers: the table has no ids. */
function inNumbers(errors: unknown, content: object): object {
  if (!Array.isArray(errors)) return {}
  const { bars = [] } = content as { readonly bars?: readonly NumberedBar[] }
  const named = (errors as readonly Fault[]).map((fault) => {
    const [, place, bar, cut, id] = unknownInPlan.exec(fault.path) ?? []
    if (fault.code !== 'unknown-record' || place === undefined) return fault
    const { certificateNumber, heatNumber, cuts = [] } = bars[Number(bar)] ?? {}
    const { orderNumber, lineNumber } = cuts[Number(cut)] ?? {}
    const [field, message] =
      id === 'orderId'
        ? ['orderNumber', `There is no order ${orderNumber}.`]
        : id === 'lineItemId'
          ? ['lineNumber', `Order ${orderNumber} has no line ${lineNumber}.`]
          : ['certificateNumber', `There is no certificate ${certificateNumber} of heat ${heatNumber}.`]
    return { ...fault, path: place + field, message }
  })
  return { errors: named }
}

/** Check a value as if it were a body. */
function checkValue<Schema extends z.ZodType>(schema: Schema, value: unknown): Checked<Schema> {
  return checkBody(schema, Buffer.from(JSON.stringify(value)))
}

function idsOf(companyId: string, orderNumber: string, lineNumber: number | undefined) {
  const orderId = orderIdOf(companyId, orderNumber)
  return {
    orderId,
    ...(lineNumber !== undefined && { lineItemId: lineItemIdOf(companyId, orderId, lineNumber) }),
  }
}
