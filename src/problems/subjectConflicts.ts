import { z } from 'zod'
import type { ProblemDeclaration } from './declaration.ts'
import { findings } from './finding.ts'
import { change, fault } from './requests.ts'

/** A request conflicts with a mill certificate, an order, a delivery or a document as it is. */

export const subjectConflicts = {
  'import-changed': {
    status: 409,
    title: 'The proposal of the import has changed',
    meaning: 'The file now gives another proposal than the one that was confirmed, so nothing was recorded.',
    occurs:
      'One of the records was registered or changed since the upload, another confirmation has begun, or a new release reads the file differently.',
    remedy: 'Upload the file again, look at the new proposal, and confirm that one.',
  },
  'another-manufacturer': {
    status: 409,
    title: 'The certificate is recorded from another manufacturer',
    meaning: 'Two mills may use the same numbers, so nothing was recorded.',
    occurs: 'An upsert or an import names another manufacturer than the certificate of the same numbers has.',
    remedy:
      'If it is the same mill, leave the manufacturer out, or correct the recorded one. If it is another certificate, give it an `item` of its own.',
    members: z.object({
      manufacturer: z.string().meta({ description: 'The recorded one.' }),
      millCertificationId: z.guid(),
      errors: z.array(fault),
    }),
  },
  'delivery-already-recorded': {
    status: 409,
    title: 'The delivery note is recorded with other values',
    meaning: 'A supplier numbers its delivery notes once, so nothing was recorded.',
    occurs: 'A delivery with this number and supplier is recorded, and the request states other values.',
    remedy: 'Correct the recorded delivery, or give the other one its own number.',
    members: z.object({ deliveryId: z.guid() }),
  },
  'delivery-voided': {
    status: 409,
    title: 'The delivery is voided',
    meaning: 'A voided delivery cannot be corrected, so nothing was recorded.',
    occurs: 'Somebody has voided the delivery.',
    remedy: 'Record the delivery anew.',
  },
  'looks-like-another': {
    status: 409,
    title: 'The number or name looks like another one',
    meaning: 'People could not tell the two apart, so nothing was recorded.',
    occurs:
      'A number or name has letters of another script in the place of letters that look the same, such as a Cyrillic Н for H, and the company has the other one already.',
    remedy: 'Type it in the script of the one that exists, or choose another number or name.',
    members: z.object({
      other: z.string().meta({ description: 'The number or name that exists.' }),
      millCertificationId: z.guid().optional(),
      orderId: z.guid().optional(),
      tagId: z.guid().optional(),
      profileId: z.guid().optional(),
    }),
  },
  'certificate-already-registered': {
    status: 409,
    title: 'The certificate is registered with other content',
    meaning: 'A registration never changes a certificate, so nothing was recorded.',
    occurs:
      'A certificate with these numbers exists with other content: in another revision of the document, or in the same.',
    remedy: 'Compare the differences with the document, and correct the certificate with PUT.',
    members: z.object({ millCertificationId: z.guid(), differences: z.array(change) }),
  },
  'certificate-voided': {
    status: 409,
    title: 'The certificate is voided',
    meaning: 'A voided certificate cannot be corrected, so nothing was recorded.',
    occurs: 'A request would change a value of a voided certificate.',
    remedy: 'Reinstate the certificate first, or correct the certificate that replaces it.',
  },
  'certificate-not-allowed': {
    status: 409,
    title: 'The certificate is in another status',
    meaning: 'The decision does not fit the present status of the certificate, so nothing was recorded.',
    occurs:
      'A request would release or reject a certificate that is Rejected or Voided, reopen one that is Voided, reinstate one that is not Voided, or name a second replacement for one that is Voided.',
    remedy:
      'Read the certificate again. Reopen a Rejected one, and reinstate a Voided one, before you decide anew.',
    members: z.object({
      state: z.string().meta({ description: 'The present status of the certificate.' }),
    }),
  },
  'certificate-blocked': {
    status: 409,
    title: 'Block findings stand against the certificate',
    meaning: 'A certificate with a Block finding is released only with a reason, so nothing was recorded.',
    occurs:
      'A request would release a mill certificate that has the Blocks in `findings`, and gives no reason.',
    remedy:
      'Read the findings. Correct the certificate or take a tag off if that is the cause; otherwise release the certificate by itself with a `reason`.',
    members: z.object({ findings }),
  },
  'document-attached': {
    status: 409,
    title: 'The document is attached',
    meaning: 'A document that is attached to a mill certificate cannot be deleted, so nothing was recorded.',
    occurs: 'A request would delete a document that mill certificates have.',
    remedy: 'Detach the document from these mill certificates first.',
    members: z.object({
      millCertificationIds: z
        .array(z.guid())
        .meta({ description: 'The mill certificates that have the document.' }),
    }),
  },
  'too-many-documents': {
    status: 409,
    title: 'The mill certificate has too many documents',
    meaning: 'There is no room for another document, so nothing was recorded.',
    occurs: 'A document was to be attached to a mill certificate that has 20.',
    remedy: 'Detach a document that is no longer needed.',
  },
  'too-many-stored-bytes': {
    status: 409,
    title: 'The documents of the company take too much space',
    meaning: 'The company has no room for the file among its documents, so it was not stored.',
    occurs:
      'All documents of a company, with the packs of its orders, may take as many bytes as the operator has set in DOCUMENTS_PER_COMPANY_MB.',
    remedy: 'Delete documents that are attached nowhere, or ask the operator to raise the limit.',
    members: z.object({
      bytes: z.int().meta({ description: 'The bytes of all documents, without the file that was sent.' }),
      limit: z.int(),
    }),
  },
  'too-many-imports': {
    status: 409,
    title: 'The company has too many imports',
    meaning: 'The company has no room for another import, so the file was not read.',
    occurs:
      'An import is kept for 7 days, and a company may have as many of them as the operator has set in IMPORTS_PER_COMPANY.',
    remedy: 'Wait until the oldest import is 7 days old, or put several files into one.',
    members: z.object({ imports: z.int(), limit: z.int() }),
  },
  'four-eyes': {
    status: 409,
    title: 'A second person has to decide',
    meaning: 'The release policy asks for two persons, so nothing was recorded.',
    occurs:
      'The company has set `fourEyes`, and the caller has registered or last corrected the certificate, or has planned the bar.',
    remedy: 'Ask a colleague with the role Quality or Admin.',
  },
  'order-already-registered': {
    status: 409,
    title: 'The order is registered with other content',
    meaning: 'A registration never changes an order, so nothing was recorded.',
    occurs: 'An order with this number exists, and its content is not the content of the request.',
    remedy: 'Correct the order with PUT.',
    members: z.object({ orderId: z.guid() }),
  },
  'line-item-in-use': {
    status: 409,
    title: 'A correction may not drop line items',
    meaning: 'The order keeps all of its line items, so nothing was recorded.',
    occurs: 'A correction leaves out line items that the order has.',
    remedy: 'Send the missing line numbers, too.',
    members: z.object({
      lineNumbers: z.array(z.int()).meta({ description: 'The line numbers that were left out.' }),
    }),
  },
} as const satisfies Record<string, ProblemDeclaration>
