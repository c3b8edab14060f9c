import type { Certificate } from '../api/generated.ts'
import { type TextName, useTexts } from '../texts/texts.ts'
import { Mark, type Tone } from './Chip.tsx'

/** The status of a mill certificate, in words and colour. */

export const certificateTexts = {
  Received: 'certificateReceived',
  Released: 'certificateReleased',
  Rejected: 'certificateRejected',
  Voided: 'certificateVoided',
} as const satisfies Record<Certificate['status'], TextName>

const tones: Record<Certificate['status'], Tone> = {
  Received: 'calm',
  Released: 'info',
  Rejected: 'bad',
  Voided: 'calm',
}

export function CertificateMark({ status }: Pick<Certificate, 'status'>) {
  const { t } = useTexts()
  return <Mark tone={tones[status]}>{t(certificateTexts[status])}</Mark>
}
