import { millCertificate } from '../../src/domain/certificates/certificate.ts'
import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'

/**
 * Makes this process a release in which a registration is of version 2, which is what version 1 is in truth; its
 * version 1 called the certificate `id`, and measured its thickness in centimetres. Import it before anything that
 * reads the versions of events.
 */
export interface Version1 extends Omit<CertificateContent, 'thicknessMm'> {
  readonly id: string
  readonly thicknessCm: number
}

// In place, because the module itself refers to it.
Object.assign(millCertificate.events.MillCertificateRegistered, {
  version: 2,
  upcasters: { 1: fromVersion1 },
})

function fromVersion1({ id, thicknessCm, ...data }: Version1) {
  if (thicknessCm === undefined) throw new Error('it has no thickness')
  return { ...data, millCertificationId: id, thicknessMm: thicknessCm * 10 }
}
