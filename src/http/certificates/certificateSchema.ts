import { z } from 'zod'
import { certificateFields, certificateNumbers } from '../../domain/certificates/certificateContent.ts'
import { certificateStatuses } from '../../domain/certificates/certificateStatus.ts'
import { answerOf } from '../kit/schemas/declared.ts'
import { dated, oneOf, revision, shownTag, uuid } from '../kit/schemas/fields.ts'
import { listedFindings } from './finding.ts'

/** The answered mill certificate. */

export const certificate = z
  .object({
    millCertificationId: uuid,
    companyId: uuid,
    ...answerOf(certificateNumbers),
    ...answerOf(certificateFields),
    ...dated,
    status: oneOf(certificateStatuses).meta({ description: 'Whether its steel may be used.' }),
    replacedBy: uuid
      .nullable()
      .meta({ description: 'The certificate that counts in place of this one, which is voided.' }),
    revision,
    tags: z.array(shownTag),
    blocked: z.boolean().meta({ description: 'Whether one of the tags has severity Block.' }),
    findings: listedFindings,
  })
  .meta({ id: 'Certificate' })
