import {
  type MillCertificateCorrected,
  type MillCertificateEvent,
  millCertificate,
} from '../../domain/certificates/certificate.ts'
import { company, releasePolicyOf } from '../../domain/company/company.ts'
import { refuseJudgedCorrection, refuseToLiftBlocks } from '../../domain/company/qualityOnly.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import { refusals } from '../../problems/catalogue.ts'
import { type Command, type Load, withGuard } from '../executor/command.ts'
import { catalogueOf } from '../tags/catalogue.ts'

/** Guards for a company that has set `qualityOnly`: only the roles Quality and Admin may make some changes. */

/** Find out whether the caller has the role Quality or Admin. */
export type IsQuality = () => Promise<boolean>

/** Find out whether a bar has the certificate. It reads the read models, which may be behind by moments. */
type IsUsed = (companyId: string, millCertificationId: string) => Promise<boolean>

/** Refuse a change of tags or manual assignments that takes off or lowers a Block. */
export function keepingBlocks<Answer>(
  companyId: string,
  command: Command<Answer>,
  isQuality: IsQuality,
): Command<Answer> {
  return withGuard(command, {
    load: async (load) =>
      (await isBound(load, companyId, isQuality)) ? catalogueOf(companyId)(load) : undefined,
    refuse: (events, catalogue) => {
      if (catalogue) refuseToLiftBlocks(events as Parameters<typeof refuseToLiftBlocks>[0], catalogue)
    },
  })
}

/** Refuse a correction of a value that the verdict depends on, if the certificate is Released or a bar has it. */
export function keepingJudgedValues<Answer>(
  companyId: string,
  command: Command<Answer>,
  isQuality: IsQuality,
  isUsed: IsUsed,
): Command<Answer> {
  return withGuard(command, {
    async load(load) {
      if (!(await isBound(load, companyId, isQuality))) return false
      const { state } = await load(millCertificate, command.id)
      if (!state) return false
      return state.status === 'Released' || isUsed(companyId, state.facts.millCertificationId)
    },
    refuse: (events, isRelied) => {
      if (isRelied) refuseJudgedCorrection(events.filter(isCorrection))
    },
  })
}

export const refusedByQualityOnly = refusals('quality-only')

function isCorrection(event: DomainEvent): event is MillCertificateCorrected & DomainEvent {
  return (event as MillCertificateEvent).type === 'MillCertificateCorrected'
}

/** Whether `qualityOnly` binds the caller. The role is known without the event store, so it is checked first. */
async function isBound(load: Load, companyId: string, isQuality: IsQuality): Promise<boolean> {
  if (await isQuality()) return false
  return releasePolicyOf((await load(company, companyId)).state).qualityOnly
}
