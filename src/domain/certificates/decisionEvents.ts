import { countText } from '../../lib/countText.ts'
import { eventsAbout, type StateBefore } from '../audit/audited.ts'
import { certificateName, changeOf, saying, setFrom } from '../audit/words.ts'
import { listFindings } from '../bars/keptJudgement.ts'
import type { Change } from '../kernel/changes.ts'
import type { CertificateDecision } from './certificateDecisions.ts'
import { certificateTransitions } from './certificateStatus.ts'

/** The decisions on a mill certificate, as its history tells of them. */

export const decisionEvents = eventsAbout<CertificateDecision>('certificate', 'millCertificationId', {
  CertificateReleased: {
    bound: 'day',
    tell: ({ note, reason = null, findings = [] }) => {
      const spite = findings.length > 0 ? ` in spite of ${countText(findings.length, 'Block finding')}` : ''
      return `The certificate was released${spite}.${saying('Reason', reason)}${saying('Note', note)}`
    },
    listChanges: ({ note, reason = null, findings }, before) => [
      ...describeDecision('CertificateReleased', before, { note, reason }),
      ...listFindings(findings),
    ],
  },
  CertificateRejected: {
    bound: 'none',
    tell: ({ reason }) => `The certificate was rejected.${saying('Reason', reason)}`,
    listChanges: ({ reason }, before) => describeDecision('CertificateRejected', before, { reason }),
  },
  CertificateReopened: {
    bound: 'day',
    tell: ({ reason }) => `The certificate was reopened.${saying('Reason', reason)}`,
    listChanges: ({ reason }, before) => describeDecision('CertificateReopened', before, { reason }),
  },
  CertificateVoided: {
    bound: 'none',
    tell: ({ reason, replacedBy }, before) => {
      const replaced = replacedBy === null ? '' : ` and replaced by ${certificateName(replacedBy, before)}`
      return `The certificate was voided${replaced}.${saying('Reason', reason)}`
    },
    listChanges: ({ reason, replacedBy }, before) =>
      describeDecision('CertificateVoided', before, { reason, replacedBy }),
  },
  CertificateReinstated: {
    bound: 'day',
    tell: ({ reason }) => `The certificate was reinstated.${saying('Reason', reason)}`,
    listChanges: ({ reason }, before) => describeDecision('CertificateReinstated', before, { reason }),
  },
})

function describeDecision(
  type: keyof typeof certificateTransitions,
  { certificateStatus = 'Received' }: StateBefore,
  said: object,
): Change[] {
  return [...changeOf('status', certificateStatus, certificateTransitions[type].to), ...setFrom(said)]
}
