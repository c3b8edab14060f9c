import { productionPlanBar, productionPlanBarKey } from '../../domain/bars/bar.ts'
import type { BarToMove } from '../../domain/bars/barCertificate.ts'
import type { BarStatus } from '../../domain/bars/barEvents.ts'
import { millCertificate, millCertificateKey } from '../../domain/certificates/certificate.ts'
import { voidCertificate as decideToVoidCertificate } from '../../domain/certificates/certificateDecisions.ts'
import { setBarCertificate } from '../bars/barCertificates.ts'
import type { LookUps } from '../bars/judging.ts'
import type { BarAddress } from '../bars/plannedBar.ts'
import { type Check, type Command, checkOn, type Workflow } from '../executor/command.ts'
import { type DecisionOnOne, decideOnMany, findEarlierDecision } from '../executor/decideOnMany.ts'
import {
  type CertificateAddress,
  refuseReplacement,
  replacementOf,
  voidCertificate,
} from './certificateDecisions.ts'
import type { CertificateRecord } from './certificates.ts'

/**
 * Voiding a certificate whose bars move to the certificate that replaces it. The bars move first, because a bar with a
 * voided certificate would lose its approval. Each bar is judged and recorded by itself, so a repeat completes a request
 * that broke off.
 */

interface Voiding {
  readonly reason: string
  readonly replacedBy: string
}

interface MovingMeans {
  /** Find the bars of this certificate in these statuses, and all of its replacement, in the order of their plans. */
  findBars(
    certificate: CertificateAddress,
    replacedBy: string,
    statuses: readonly BarStatus[],
  ): Promise<readonly BarToMove[]>
  readonly lookUps: LookUps
}

export interface VoidedCertificate extends CertificateRecord {
  /** The result for each bar, if bars were to be moved. */
  readonly movedBars?: readonly DecisionOnOne[]
}

export function voidAndMoveBars(
  address: CertificateAddress,
  voiding: Voiding,
  { findBars, lookUps }: MovingMeans,
): Workflow<VoidedCertificate> {
  const { companyId } = address
  return {
    aggregate: millCertificate,
    async run(tools, context) {
      await tools.check(checkVoiding(address, voiding), context)
      const bars = await findBars(address, voiding.replacedBy, movable)
      const movedBefore = await findEarlierDecision(
        tools.check,
        bars.filter(({ hasReplacement }) => hasReplacement).map(({ barId }) => barId),
        (barId) => ({ aggregate: productionPlanBar, id: productionPlanBarKey(companyId, barId) }),
        context,
      )
      const barIds = bars
        .filter(({ barId, hasReplacement }) => !hasReplacement || movedBefore.has(barId))
        .map(({ barId }) => barId)
      const move = (barId: string) =>
        moveBar({ companyId, barId }, address.millCertificationId, voiding, lookUps)
      // The condition of the request is on the certificate.
      const { ifMatch: _, ifMatchRequired: __, ...ofBars } = context
      const moved = await decideOnMany(barIds, move, tools.execute, () => ofBars)
      const voided = await tools.execute(
        voidCertificate(address, voiding.reason, voiding.replacedBy),
        context,
      )
      const isReplayed = [moved, voided].every(({ recorded, replayed }) => recorded.length === 0 || replayed)
      return {
        ...voided,
        body: { ...voided.body, movedBars: moved.body },
        position: Math.max(moved.position, voided.position),
        recorded: [...new Set([...moved.recorded, ...voided.recorded])],
        replayed: isReplayed && (moved.replayed || voided.replayed),
      }
    },
  }
}

/** Refuse a voiding before any bar moves. */
function checkVoiding(address: CertificateAddress, { reason, replacedBy }: Voiding): Check<undefined> {
  const { companyId, millCertificationId } = address
  return checkOn({
    aggregate: millCertificate,
    id: millCertificateKey(companyId, millCertificationId),
    record: { missing: 'certificate-not-found', id: millCertificationId, find: (state) => state },
    dependencies: (load) => replacementOf(load, companyId, replacedBy),
    refuse: (certificate, replacement) => {
      decideToVoidCertificate(certificate, reason, replacedBy)
      refuseReplacement(address, replacedBy, replacement)
    },
  })
}

const movable: readonly BarStatus[] = ['Draft', 'Approved', 'Started']

/** Give a bar the replacement. A bar that has another certificate or another status by now stays as it is. */
function moveBar(
  address: BarAddress,
  voided: string,
  { reason, replacedBy }: Voiding,
  lookUps: LookUps,
): Command<unknown> {
  const replacement = { millCertificationId: replacedBy, reason }
  const command = setBarCertificate(address, replacement, {
    lookUps,
    // Only Quality voids certificates.
    isQuality: async () => true,
  })
  return {
    ...command,
    decide: (bar, context, facts) =>
      bar.millCertificationId === voided && movable.includes(bar.status)
        ? command.decide(bar, context, facts)
        : [],
  }
}
