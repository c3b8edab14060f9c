import { z } from 'zod'
import { isField, itemsDecided, mostItemsDecided, repeatedDecisions } from '../../imports/content.ts'
import { change, fault } from '../../problems/requests.ts'
import { listOf } from '../kit/schemas/collections.ts'
import { oneOf, recordOutcomes, uuid, withFault } from '../kit/schemas/fields.ts'
import { actions } from './intake/proposal.ts'

/** The proposal of an import, its confirmation, and the outcome. */

const at = z
  .union([
    z.object({ pointer: z.string() }),
    z.object({ line: z.int(), column: z.int(), cell: z.string().optional() }),
    z.object({ page: z.int(), box: z.array(z.number()), turned: z.int().optional() }),
  ])
  .meta({
    description:
      'Where it was read: a JSON Pointer; line and column, with the name of the cell in a spreadsheet; or a page and a box on it, with the degrees by which a scanned page has to be turned.',
    id: 'PlaceInFile',
  })

const proposedRow = z
  .object({
    row: z.int().meta({ description: 'The number of the record, from 1.' }),
    action: oneOf(actions).meta({
      id: 'ImportAction',
      description:
        'The outcome of a confirmation of the row, once the undecided fields that it needs are decided.',
    }),
    id: uuid.optional(),
    values: z.array(
      z.object({
        field: z.string().meta({ description: 'The path of the member, such as `chemistry.C`.' }),
        value: z.unknown(),
        at,
        confidence: z
          .number()
          .optional()
          .meta({ description: 'Of a scan: how sure the reader is, from 0 to 1.' }),
        conversion: z.string().optional().meta({ description: 'For example "56.5 ksi = 390 MPa".' }),
      }),
    ),
    undecided: z.array(
      z.object({
        field: z.string(),
        candidates: z.array(z.unknown()).meta({ description: 'The values that the file allows.' }),
        at,
        text: z.string().optional().meta({ description: 'The text as it stands in the file.' }),
        doubt: z
          .object({ text: z.string(), values: z.record(z.string(), z.number()) })
          .optional()
          .meta({ description: 'Why the only candidate is in doubt: the name of a text, and its values.' }),
        confidence: z.number().optional(),
        required: z
          .boolean()
          .optional()
          .meta({ description: 'Whether the row is refused until this field is decided.' }),
      }),
    ),
    faults: z.array(z.object({ field: z.string().optional(), at, code: z.string(), message: z.string() })),
    changes: z.array(change).meta({ description: 'The fields that an update changes.' }),
    notFound: z.array(z.string()).optional().meta({
      description: 'Fields that most certificates state, and this one does not, or not legibly.',
    }),
    onPages: z.array(z.int()).optional().meta({
      description: 'The pages of the certificate, in a file of several certificates.',
    }),
    pages: z
      .array(z.object({ page: z.int(), text: z.string() }))
      .optional()
      .meta({ description: 'The text of each page of a PDF.' }),
  })
  .meta({ id: 'ImportRow' })

export const proposal = z
  .object({
    importId: uuid,
    proposal: z.string().meta({ description: 'Identifies the proposal. A confirmation repeats it.' }),
    notTaken: z.array(z.object({ heading: z.string(), values: z.int(), at })).meta({
      description: 'Parts of the file that no field takes, such as a column that is not understood.',
    }),
    rows: z.array(proposedRow),
  })
  .meta({ id: 'ImportProposal' })

const decision = z
  .strictObject({
    row: z.int().min(1, 'must be at least 1'),
    field: z
      .string()
      .refine(isField, 'must be the path of a field, as in chemistry.C')
      .meta({ as: { type: 'string', pattern: '^[a-zA-Z0-9.]+$', examples: ['chemistry.C'] } }),
    value: z.unknown(),
  })
  .meta({ description: 'The value null leaves the field out.' })

export const confirmation = z
  .strictObject({
    decisions: listOf(decision, { most: 10_000 })
      .refine((decisions) => itemsDecided(decisions) <= mostItemsDecided, {
        ...withFault('out-of-bounds', `must name at most ${mostItemsDecided} items of lists in all`),
      })
      .superRefine((decisions, context) => {
        for (const index of repeatedDecisions(decisions))
          context.addIssue({
            code: 'custom',
            path: [index, 'field'],
            params: { fault: 'not-unique' },
            message: 'must be decided about once in a row',
          })
      })
      .optional(),
    proposal: z.string(),
  })
  .meta({ id: 'ImportConfirmation' })

export const confirmed = z
  .object({
    importId: uuid,
    rows: z.array(
      z.object({
        row: z.int(),
        status: z.int().meta({ description: 'The status of the same request sent alone.' }),
        id: z.guid().optional(),
        outcome: oneOf(recordOutcomes).optional(),
        code: z.string().optional(),
        detail: z.string().optional(),
        errors: z.array(fault).optional(),
        original: z
          .object({
            documentId: uuid,
            status: z
              .int()
              .meta({ description: '201 when it was attached, 200 when it was attached already.' }),
            code: z.string().optional(),
            detail: z.string().optional(),
          })
          .optional()
          .meta({
            description:
              'The PDF or scan, which becomes a document of the company and the original of the certificate. If this failed, the certificate is recorded all the same. Send the same confirmation again to attach the file.',
          }),
      }),
    ),
  })
  .meta({ id: 'ConfirmedImport' })
