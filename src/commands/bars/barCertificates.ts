import { type OpenedBar, productionPlanBar } from '../../domain/bars/bar.ts'
import {
  blockedByHeat,
  blocksOfReading,
  type CertificateRequest,
  readHeat as decideToReadHeat,
  setBarCertificate as decideToSetBarCertificate,
  type HeatRequest,
} from '../../domain/bars/barCertificate.ts'
import type { ProductionPlanBarEvent } from '../../domain/bars/barEvents.ts'
import type { KeptFinding } from '../../domain/bars/keptJudgement.ts'
import { millCertificate, millCertificateKey } from '../../domain/certificates/certificate.ts'
import type { DecisionContext } from '../../domain/kernel/aggregate.ts'
import { isSameNumber } from '../../domain/kernel/spellings.ts'
import { refusals } from '../../problems/catalogue.ts'
import type { IsQuality } from '../company/qualityOnly.ts'
import type { Command, Load, Workflow } from '../executor/command.ts'
import { type LoadedJudgement, type LookUps, loadJudgement } from './judging.ts'
import { type BarAddress, type BarRecord, onPlannedBar } from './plannedBar.ts'

/** The certificate of a bar: set by hand, or found by the heat number that somebody has read off the steel. */

/** Set the certificate of a bar. */
export function setBarCertificate(
  address: BarAddress,
  request: CertificateRequest,
  certifying: Certifying,
): Command<BarRecord> {
  return certifyBar(address, certifying, {
    choose: async () => request.millCertificationId,
    decide: (bar, { judgement, isQuality, context }) =>
      decideToSetBarCertificate(bar, request, {
        isKnown: judgement.hasCertificate,
        judgement,
        isQuality,
        context,
      }),
  })
}
setBarCertificate.refuses = refusals(
  'bar-not-found',
  'bar-not-draft',
  'bar-cancelled',
  'bar-may-not-be-cut',
  'four-eyes',
)

/** Find the live certificates of a heat that suit the profiles of the bar. No stream lists them. */
export type FindOfHeat = (address: BarAddress, heatNumber: string) => Promise<readonly string[]>

/**
 * Keep the heat number that somebody has read off the steel of a bar, and link the certificate if there is just one. A
 * certificate that blocks an Approved or Started bar is recorded, and the request is refused.
 */
export function readHeat(
  address: BarAddress,
  request: HeatRequest,
  findOfHeat: FindOfHeat,
  certifying: Certifying,
): Workflow<BarRecord> {
  const { heatNumber } = request
  const reading = certifyBar(address, certifying, {
    choose: async (load, bar) => {
      if (heatNumber === null || (await hasHeat(load, bar, heatNumber))) return bar.millCertificationId
      const ofHeat = await findOfHeat(address, heatNumber)
      return ofHeat.length === 1 ? ofHeat[0]! : null
    },
    decide: (bar, { chosen, context, judgement, isQuality }) =>
      decideToReadHeat(bar, request, { linked: chosen, judgement, isQuality, context }),
  })
  return {
    aggregate: productionPlanBar,
    async run({ execute, waitUntilShown }, context) {
      const outcome = await execute(withBlocks(reading), context)
      const { bar, blocks } = outcome.body
      if (blocks.length === 0) return { ...outcome, body: bar }
      await waitUntilShown?.(outcome)
      throw blockedByHeat(bar, blocks)
    },
  }
}

/** The same command, whose answer also says which Blocks it brought. */
function withBlocks(
  reading: Command<BarRecord>,
): Command<{ readonly bar: BarRecord; readonly blocks: readonly KeptFinding[] }> {
  return {
    ...reading,
    answer: (found, recorded, facts) => {
      const { body, ...answered } = reading.answer!(found, recorded, facts)
      return { ...answered, body: { bar: body, blocks: blocksOfReading(recorded) } }
    },
  }
}

/** Whether the bar has a live certificate of that heat. */
async function hasHeat(
  load: Load,
  { companyId, millCertificationId }: OpenedBar,
  heatNumber: string,
): Promise<boolean> {
  if (millCertificationId === null) return false
  const { state } = await load(millCertificate, millCertificateKey(companyId, millCertificationId))
  return state !== undefined && state.status !== 'Voided' && isSameNumber(state.facts.heatNumber, heatNumber)
}

/** The means to give a bar another certificate. */
interface Certifying {
  readonly lookUps: LookUps
  /** Find out whether the caller may correct a Completed bar. */
  readonly isQuality: IsQuality
}

interface Certified {
  readonly chosen: string | null
  /** The judgement of the bar with the chosen certificate. */
  readonly judgement: LoadedJudgement
  readonly isQuality: boolean
}

interface CertificateChoice {
  choose(load: Load, bar: OpenedBar): Promise<string | null>
  decide(
    bar: OpenedBar,
    certified: Certified & { readonly context: DecisionContext },
  ): readonly ProductionPlanBarEvent[]
}

/** Build a command that chooses a certificate for a bar, judges the bar with it, and decides. */
function certifyBar(
  address: BarAddress,
  { lookUps, isQuality }: Certifying,
  { choose, decide }: CertificateChoice,
): Command<BarRecord> {
  return onPlannedBar(address, {
    load: async (load, bar) => {
      const [chosen, mayCorrect] = await Promise.all([choose(load, bar), isQuality()])
      const changed = { ...bar, millCertificationId: chosen }
      const judgement = await loadJudgement(load, lookUps, changed)
      return { chosen, judgement, isQuality: mayCorrect }
    },
    decide: (bar, context, certified) => decide(bar, { ...certified, context }),
  })
}
