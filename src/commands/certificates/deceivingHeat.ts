import { type MillCertificateEvent, millCertificate } from '../../domain/certificates/certificate.ts'
import { type HeatSpelling, refuseDeceivingHeat } from '../../domain/certificates/deceivingHeat.ts'
import { type Command, withGuard } from '../executor/command.ts'

/**
 * Find how certificates that are not voided spell a heat number that looks like this one. No stream lists the heats of a
 * company, so this looks into the read models, which may be behind by moments.
 */
type FindHeatSpellings = (companyId: string, heatNumber: string) => Promise<readonly HeatSpelling[]>

/** Refuse the registration of a certificate whose heat number looks like another one. */
export function refusingDeceivingHeat<Answer>(
  { companyId, heatNumber }: { readonly companyId: string; readonly heatNumber: string },
  command: Command<Answer>,
  findHeatSpellings: FindHeatSpellings,
): Command<Answer> {
  return withGuard(command, {
    load: async (load) => {
      const { state } = await load(millCertificate, command.id)
      return state ? [] : findHeatSpellings(companyId, heatNumber)
    },
    refuse: (events, spellings) => {
      if (events.some(({ type }) => type === registered)) refuseDeceivingHeat(heatNumber, spellings)
    },
  })
}

const registered: MillCertificateEvent['type'] = 'MillCertificateRegistered'
