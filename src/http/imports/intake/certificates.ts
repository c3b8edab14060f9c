import { z } from 'zod'
import {
  type CertificateRecord,
  registerCertificate,
  upsertCertificate,
} from '../../../commands/certificates/certificates.ts'
import { refusingDeceivingHeat } from '../../../commands/certificates/deceivingHeat.ts'
import { keepingJudgedValues } from '../../../commands/company/qualityOnly.ts'
import type { Command } from '../../../commands/executor/command.ts'
import {
  type CertificateContent,
  certificateFields,
  certificateNumbers,
} from '../../../domain/certificates/certificateContent.ts'
import { importedMembers } from '../../../domain/certificates/importedValues.ts'
import { type Edit, replaceMembers, type Sent } from '../../../domain/kernel/edit.ts'
import { pick } from '../../../domain/kernel/fields.ts'
import { isUsedOnBar } from '../../../projections/bars/productionQueries.ts'
import { findHeatSpellings } from '../../../projections/certificates/heatSpellings.ts'
import type { BulkLines } from '../../kit/routing/bulkRun.ts'
import { qualityOf } from '../../kit/routing/qualityOf.ts'
import { bodyOf } from '../../kit/schemas/declared.ts'
import { asEdit } from '../../kit/schemas/edit.ts'
import type { Principal, Services } from '../../kit/services.ts'

/** Mill certificates as they arrive: alone, in bulk or in an imported file. */

const numbers = bodyOf(certificateNumbers)
const content = bodyOf(certificateFields)

export const wholeCertificate = z.strictObject(content)

const registration = z.strictObject({ ...numbers, ...content }).meta({
  id: 'CertificateRegistration',
  sharedMembers: 'CertificateMembers',
  examples: [
    {
      certificateNumber: 'MC-2026-0815',
      heatNumber: 'H 4711',
      standard: 'EN 10025-2',
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
      productForm: 'Plate',
      thicknessMm: 20,
      mechanical: { reHMpa: 361, rmMpa: 520, a5Percent: 24, kvJoule: 31, kvTemperatureC: -20 },
    },
  ],
})

const upsertion = z.strictObject({ ...numbers, ...asEdit(content) }).meta({
  id: 'CertificateUpsert',
  sharedMembers: 'CertificateMembers',
  description: 'A certificate that exists keeps the members that are left out.',
})

type CertificateLines = BulkLines<
  '/api/company/{companyId}/millcert/certificates/bulk',
  typeof registration,
  typeof upsertion,
  CertificateRecord
>

/** @param edit sets the values that are sent for a recorded certificate */
function upsertCommand(
  edit: (sent: Sent<CertificateContent>) => Edit<CertificateContent>,
): CertificateLines['upsert']['command'] {
  return ({ params, body: { certificateNumber, heatNumber, item, ...sent }, principal }, whole, services) =>
    asAllowed(
      params,
      principal,
      services,
      withHonestHeat(
        { ...params, heatNumber },
        services,
        upsertCertificate(
          params.companyId,
          { certificateNumber, heatNumber, item },
          { whole: () => pick(certificateFields, whole()), edit: edit(sent) },
        ),
      ),
    )
}

export const certificateIntake = {
  body: registration,
  command: register,
  upsert: { body: upsertion, command: upsertCommand(replaceMembers) },
  creates: 'MillCertificateRegistered',
  id: ({ millCertificationId }: { millCertificationId: string }) => millCertificationId,
} satisfies CertificateLines

export const importedCertificates = {
  ...certificateIntake,
  upsert: { body: upsertion, command: upsertCommand(importedMembers) },
} satisfies CertificateLines

/** Refuse a correction that the company's `qualityOnly` leaves to other roles. */
export function asAllowed<Answer>(
  { companyId }: { readonly companyId: string },
  principal: Principal,
  { reader }: Services,
  correction: Command<Answer>,
): Command<Answer> {
  return keepingJudgedValues(companyId, correction, qualityOf(principal, companyId), (...certificate) =>
    isUsedOnBar(reader, ...certificate),
  )
}

function register(
  { params: { companyId }, body }: { params: { companyId: string }; body: z.output<typeof registration> },
  services: Services,
) {
  const numbers = pick(certificateNumbers, body)
  const registered = registerCertificate(companyId, numbers, pick(certificateFields, body))
  return withHonestHeat({ companyId, ...numbers }, services, registered)
}

/** Refuse to register a certificate whose heat number looks like another one. */
function withHonestHeat<Answer>(
  named: { readonly companyId: string; readonly heatNumber: string },
  { reader }: Services,
  command: Command<Answer>,
): Command<Answer> {
  return refusingDeceivingHeat(named, command, (...heat) => findHeatSpellings(reader, ...heat))
}
