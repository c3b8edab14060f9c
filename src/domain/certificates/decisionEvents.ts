import { eventsAbout, type StateBefore } from '../audit/audited.ts'
import { certificateNumber, changeOf, partIf, sayWords, setFrom } from '../audit/words.ts'
import { listFindings } from '../bars/keptJudgement.ts'
import type { Change } from '../kernel/changes.ts'
import { sentence } from '../verdict/sentence.ts'
import type { CertificateDecision } from './certificateDecisions.ts'
import { certificateTransitions } from './certificateStatus.ts'

/** The decisions on a mill certificate, as its history tells of them. */

export const decisionEvents = eventsAbout<CertificateDecision>('certificate', 'millCertificationId', {
  CertificateReleased: {
    bound: 'day',
    tell: ({ note, reason = null, findings: { length: count } = [] }) =>
      sentence('CertificateReleased', {
        spite: partIf(count > 0, 'in-spite-of-blocks', { count }),
        reason: sayWords('reason', reason),
        note: sayWords('note', note),
      }),
    listChanges: ({ note, reason, findings }, before) => [
      ...describeDecision('CertificateReleased', before, { note, reason }),
      ...listFindings(findings),
    ],
  },
  CertificateRejected: {
    bound: 'none',
    tell: ({ reason }) => sentence('CertificateRejected', { reason: sayWords('reason', reason) }),
    listChanges: ({ reason }, before) => describeDecision('CertificateRejected', before, { reason }),
  },
  CertificateReopened: {
    bound: 'day',
    tell: ({ reason }) => sentence('CertificateReopened', { reason: sayWords('reason', reason) }),
    listChanges: ({ reason }, before) => describeDecision('CertificateReopened', before, { reason }),
  },
  CertificateVoided: {
    bound: 'none',
    tell: ({ reason, replacedBy }, before) =>
      sentence('CertificateVoided', {
        replaced:
          replacedBy === null
            ? ''
            : sentence('replaced-by', { number: certificateNumber(replacedBy, before) }),
        reason: sayWords('reason', reason),
      }),
    listChanges: ({ reason, replacedBy }, before) =>
      describeDecision('CertificateVoided', before, { reason, replacedBy }),
  },
  CertificateReinstated: {
    bound: 'day',
    tell: ({ reason }) => sentence('CertificateReinstated', { reason: sayWords('reason', reason) }),
    listChanges: ({ reason }, before) => describeDecision('CertificateReinstated', before, { reason }),
  },
})

function describeDecision(
  type: keyof typeof certificateTransitions,
  { certificateStatus = 'Received' }: StateBefore,
  facts: object,
): Change[] {
  return [...changeOf('status', certificateStatus, certificateTransitions[type].to), ...setFrom(facts)]
}
