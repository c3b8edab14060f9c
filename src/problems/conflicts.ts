import { z } from 'zod'
import type { ProblemDeclaration } from './declaration.ts'

import { finding } from './finding.ts'
import { change, fault } from './requests.ts'

/** The request conflicts with the current state of its record or company. */

const findings = z.array(finding).meta({ description: 'The findings of the verdict on the bar.' })

const state = z.object({ state: z.string().meta({ description: 'The present status of the bar.' }) })

const clash = z.object({ family: z.enum(['millCert', 'order']), name: z.string(), tagId: z.guid() })

const tagConflicts = {
  'tag-name-taken': {
    status: 409,
    title: 'A tag has this name',
    meaning: 'Names of tags are unique in a company and family, so nothing was recorded.',
    occurs:
      'Another active tag has the name in some spelling, or tags of the company have names that a rule pack brings.',
    remedy: 'Choose another name, or rename the tag that has it. Letter case and white space do not count.',
    members: z.object({
      tagId: z.guid().optional().meta({ description: 'The tag that has the name.' }),
      clashes: z
        .array(clash)
        .optional()
        .meta({ description: 'For a rule pack: every name that another tag has, active or deleted.' }),
    }),
  },
  'tag-name-soft-deleted': {
    status: 409,
    title: 'A soft-deleted tag holds this name',
    meaning: 'A soft-deleted tag keeps its name reserved, so nothing was recorded.',
    occurs: 'A tag with the name in some spelling was soft-deleted.',
    remedy: 'Restore that tag, or choose another name.',
    members: z.object({ tagId: z.guid().meta({ description: 'The soft-deleted tag.' }) }),
  },
  'tag-deleted': {
    status: 409,
    title: 'The tag is soft-deleted',
    meaning: 'A soft-deleted tag cannot be changed, so nothing was recorded.',
    occurs: 'The tag of an update was soft-deleted.',
    remedy: 'Restore the tag first.',
  },
  'system-tag-read-only': {
    status: 409,
    title: 'The tag belongs to a rule pack',
    meaning: 'Only its rule pack changes a system tag, so nothing was recorded.',
    occurs: 'A system tag was to be updated, deleted or restored.',
    remedy: 'Change the subscription of the rule pack instead, or create a tag of the company.',
  },
  'too-many-tags': {
    status: 409,
    title: 'The company has too many tags',
    meaning: 'The family of tags has no room for more, so nothing was recorded.',
    occurs: 'A company has 2,000 tags of a family. Soft-deleted tags count.',
    remedy: 'Restore and rename a tag that is no longer used.',
  },
  'too-many-manual-tags': {
    status: 409,
    title: 'The record has too many manual tags',
    meaning: 'There is no room for another tag, so nothing was recorded.',
    occurs: 'A tag was to be assigned by hand to a record that has 100 such tags.',
    remedy: 'Take away a tag that is no longer needed.',
  },
  'rule-pack-not-subscribed': {
    status: 409,
    title: 'The company has not subscribed to the rule pack',
    meaning: 'There is no subscription to upgrade, so nothing was recorded.',
    occurs: 'An upgrade names a rule pack without a subscription.',
    remedy: 'Subscribe to the rule pack. That takes its present version.',
  },
  'rule-pack-already-exists': {
    status: 409,
    title: 'The rule pack exists with other content',
    meaning: 'A request to create a rule pack never changes one, so nothing was recorded.',
    occurs:
      'The id belongs to a rule pack of the service, or to one of the company whose newest version has other content.',
    remedy: 'Choose another id. To write the next version of a rule pack of the company, use PUT.',
    members: z.object({ rulePackId: z.string() }),
  },
  'too-many-rule-packs': {
    status: 409,
    title: 'The company has too many rule packs of its own',
    meaning: 'The company has no room for another rule pack, so nothing was recorded.',
    occurs: 'The company has written 20 rule packs.',
    remedy: 'Write the next version of a rule pack that is not used any more.',
  },
  'too-many-rule-pack-versions': {
    status: 409,
    title: 'The rule pack has too many versions',
    meaning: 'The rule pack has no room for another version, so nothing was recorded.',
    occurs: 'The company has written 1,000 versions of the rule pack.',
    remedy: 'Write a rule pack with another id.',
  },
  'rule-pack-subscribed': {
    status: 409,
    title: 'The company subscribes to the rule pack',
    meaning: 'Its rules are in force, so it was not deleted.',
    occurs: 'A company deletes a rule pack of its own while it subscribes to it.',
    remedy: 'Unsubscribe from the rule pack first.',
  },
  'own-rules-too-costly': {
    status: 409,
    title: 'The rules of the company would take too many steps',
    meaning:
      'The pack exceeds the limit together with the other packs that the company wrote, so nothing was recorded.',
    occurs:
      'All packs of its own that a company subscribes to may take at most 250,000 steps together, for one subject.',
    remedy: 'Make the rules of the pack simpler, or unsubscribe from another pack of the company.',
    members: z.object({
      cost: z.int().meta({ description: 'The steps of all these packs together, with this one.' }),
      limit: z.int(),
    }),
  },
  'rule-pack-newer': {
    status: 409,
    title: 'A newer version of the rule pack is in force',
    meaning: 'A subscription never goes back to an older version, so nothing was recorded.',
    occurs: 'The node that answered runs an older release than the one that upgraded the subscription.',
    remedy: 'Nothing needs to be done: the newer version stays in force.',
    members: z.object({
      subscribedVersion: z.int().meta({ description: 'The version that is in force.' }),
      version: z.int().meta({ description: 'The version in the release that answered.' }),
    }),
  },
} as const satisfies Record<string, ProblemDeclaration>

const subjectConflicts = {
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

const productionConflicts = {
  'plan-already-exists': {
    status: 409,
    title: 'The plan exists with other content',
    meaning: 'A request to create a plan never changes one, so nothing was recorded.',
    occurs: 'A plan with this planId exists, and its name or bars are not those of the request.',
    remedy: 'Add bars to the plan, or choose another planId.',
    members: z.object({ planId: z.guid() }),
  },
  'bar-already-planned': {
    status: 409,
    title: 'A bar exists already',
    meaning: 'A bar belongs to one plan and keeps its content, so no bar of the request was planned.',
    occurs: 'A barId of the request names a bar of another plan, or a bar with other content.',
    remedy: 'Choose other ids for these bars, or leave the ids out.',
    members: z.object({ barIds: z.array(z.guid()).meta({ description: 'Every bar that exists already.' }) }),
  },
  'bar-not-draft': {
    status: 409,
    title: 'The bar is not a draft',
    meaning: 'Only a Draft bar can be approved or lose its mill certificate, so nothing was recorded.',
    occurs:
      'A request would approve a bar that was approved before, or take the mill certificate away from such a bar.',
    remedy:
      'Read the bar again. It is at the step that `state` names, or beyond it. To change its certificate, name another one instead of null.',
    members: state,
  },
  'bar-may-not-be-cut': {
    status: 409,
    title: 'The bar may not be cut',
    meaning: 'A Block finding stands against the bar that nobody has overridden, so nothing was recorded.',
    occurs:
      'A request would approve a bar, start one without a certificate, or accept a cut or set another certificate on a bar that is Approved or Started. The certificate, the orders or their tags do not allow it.',
    remedy:
      'Set another certificate on the bar, or correct the record that the finding names. A person with the role Quality or Admin may send an `override` with the keys of the findings and a reason.',
    members: z.object({ findings }),
  },
  'bar-not-approved': {
    status: 409,
    title: 'The bar is not approved',
    meaning: 'Only an Approved bar can be started, so the bar was not started.',
    occurs:
      'The bar is still a draft, or was started before, or has lost its approval because of the Blocks in `findings`.',
    remedy:
      'Remove the cause of the findings, if there are any, and approve the bar. If `state` is Started or Completed, nothing is left to do.',
    members: state.extend({ findings: findings.optional() }),
  },
  'bar-not-started': {
    status: 409,
    title: 'The bar is not started',
    meaning: 'Only a Started bar can be completed, so nothing was recorded.',
    occurs: 'The bar has not been started yet, or was completed before.',
    remedy: 'Start the bar first. If `state` is Completed, nothing is left to do.',
    members: state,
  },
  'bar-completed': {
    status: 409,
    title: 'The bar is completed',
    meaning: 'The cuts of a Completed bar stay unchanged, so nothing was recorded.',
    occurs: 'A request would change the status of a cut whose bar is completed.',
    remedy: 'Plan the cut on another bar.',
    members: state,
  },
  'bar-cancelled': {
    status: 409,
    title: 'The bar is cancelled',
    meaning: 'A Cancelled bar stays as it is, so nothing was recorded.',
    occurs: 'A request would change a cut or the mill certificate of a bar that is cancelled.',
    remedy: 'Plan a new bar.',
  },
  'bar-not-revertible': {
    status: 409,
    title: 'The bar cannot go back to this step',
    meaning: 'A bar goes back only to a step that it has passed, so nothing was recorded.',
    occurs: 'A request would take a bar back to its present step or a later one, or the bar is cancelled.',
    remedy: 'Read the bar again. If `state` is the step that you want, nothing is left to do.',
    members: state,
  },
  'pieces-held': {
    status: 409,
    title: 'The pieces are held',
    meaning:
      'The steel of a bar that was completed in spite of a Block is cut, and its pieces are held until Quality decides on the findings, so nothing was recorded.',
    occurs:
      'A request would take such a bar back to a step before Started, or change the status of one of its cuts.',
    remedy: 'Let Quality override the findings of its `stop`, then try again.',
    members: state,
  },
  'bar-not-cancellable': {
    status: 409,
    title: 'The bar is started already',
    meaning: 'Only a Draft or Approved bar can be cancelled, so nothing was recorded.',
    occurs: 'A request would cancel a bar that is Started or Completed.',
    remedy:
      'If it was started by mistake, take the start back first. If a piece was cut wrong, scrap the cut.',
    members: state,
  },
  'cut-not-scrappable': {
    status: 409,
    title: 'There is no piece to scrap',
    meaning: 'Only an Accepted cut of a Started or Completed bar can be scrapped, so nothing was recorded.',
    occurs:
      'A request would scrap a cut that is Proposed or Rejected, or whose bar is not started or is cancelled.',
    remedy: 'Reject the cut instead, as long as its bar is not completed.',
    members: state.extend({ cutStatus: z.string().meta({ description: 'The present status of the cut.' }) }),
  },
  'cut-scrapped': {
    status: 409,
    title: 'The cut is scrapped',
    meaning: 'A Scrapped cut keeps its status, so nothing was recorded.',
    occurs: 'A request would change the status of a cut that is scrapped.',
    remedy: 'Plan the piece once more, on a new bar.',
  },
  'remnant-used': {
    status: 409,
    title: 'The remnant is used already',
    meaning: 'A remnant becomes the stock of one bar, so nothing was planned or taken back.',
    occurs:
      'A request would plan a bar from a remnant that another bar has, or would take back the completion of a bar whose remnant is used.',
    remedy:
      'Use another remnant, or cancel the bar that `usedBy` names. If the request for that bar broke off, its remnant is free after 10 minutes.',
    members: z.object({
      barId: z.guid().meta({ description: 'The bar whose remnant is used.' }),
      usedBy: z.guid().meta({ description: 'The bar that has the remnant.' }),
    }),
  },
  'bar-overfull': {
    status: 409,
    title: 'The cuts are longer than the bar',
    meaning: 'The cut does not fit on the bar, so nothing was recorded.',
    occurs: 'The Accepted and Proposed cuts would need more than the stock length.',
    remedy: 'Reject another cut of the bar first, or plan the cut on another bar.',
  },
  'cut-dispatched': {
    status: 409,
    title: 'A piece of the bar is dispatched',
    meaning: 'A bar whose pieces have left the workshop stays or becomes Completed, so nothing was recorded.',
    occurs: 'A request would take back or cancel a bar with a dispatched piece.',
    remedy: 'Leave the bar as it is. If its certificate is wrong, correct the certificate with a reason.',
    members: z.object({
      cutIds: z.array(z.guid()).meta({ description: 'The cuts whose pieces have left.' }),
    }),
  },
  'pieces-not-cleared': {
    status: 409,
    title: 'The pieces are not cleared',
    meaning:
      'A piece leaves only with a certificate and without a Block that stands, so nothing was recorded.',
    occurs:
      'A dispatch was to be recorded for pieces from a bar without a mill certificate, or with a Block finding that nobody has overridden.',
    remedy:
      'Close the gaps in `missing`, and remove the cause of the Block findings. A person with the role Quality or Admin may send an `override` with a reason and the keys of these findings; a rejected or voided certificate cannot be overridden.',
    members: z.object({
      findings: z.array(finding).meta({ description: 'The findings on these pieces, each once.' }),
      missing: z
        .array(z.string())
        .meta({ description: 'The first 100 gaps in their traceability, in plain words.' }),
    }),
  },
} as const satisfies Record<string, ProblemDeclaration>

const accountConflicts = {
  'company-already-exists': {
    status: 409,
    title: 'The company exists under another name',
    meaning: 'A registration never changes a company, so nothing was recorded.',
    occurs: 'A company with this companyId exists, and its name is not the name of the request.',
    remedy: 'Choose another companyId, or leave it out.',
  },
  'last-admin': {
    status: 409,
    title: 'The company needs an Admin',
    meaning: 'The last Admin of a company keeps the role, so nothing was recorded.',
    occurs: 'The only Admin was to be removed or to lose the role.',
    remedy: 'Make another member an Admin first.',
  },
  'record-must-be-kept': {
    status: 409,
    title: 'The author of some acts must stay known',
    meaning: 'Nobody could name the author of these acts any more, so nothing was erased.',
    occurs:
      'A person was to be erased who has approved bars, or done other acts of responsibility, within ten years.',
    remedy: 'Keep the record until the ten years are over, or repeat the request with `confirm=true`.',
    members: z.object({
      count: z.int().meta({ description: 'The number of such acts within ten years.' }),
    }),
  },
  'membership-ended': {
    status: 409,
    title: 'A membership ended meanwhile',
    meaning: 'The new API key would have had too many permissions, so it was deleted again.',
    occurs: 'The account lost a membership or a role while its API key was being created.',
    remedy: 'Create the API key again. It gets the present memberships.',
  },
  'no-api-key': {
    status: 409,
    title: 'The account has no API key',
    meaning: 'There is no key to roll, so nothing was recorded.',
    occurs: 'The account has no unexpired API key that still gives access to a company.',
    remedy: 'Create an API key.',
  },
  'too-many-api-keys': {
    status: 409,
    title: 'The account has too many API keys',
    meaning: 'The account has no room for another key, so nothing was recorded.',
    occurs: 'The account has 50 unexpired API keys.',
    remedy: 'Delete a key that is not used any more.',
  },
  'profile-name-taken': {
    status: 409,
    title: 'A filter profile has this name',
    meaning: 'Names of filter profiles are unique in a company, so nothing was recorded.',
    occurs: 'Another filter profile of the company has the name in some spelling.',
    remedy: 'Choose another name, or update the profile that has it.',
    members: z.object({ profileId: z.guid().meta({ description: 'The profile that has the name.' }) }),
  },
  'too-many-profiles': {
    status: 409,
    title: 'The company has too many filter profiles',
    meaning: 'The company has no room for another profile, so nothing was recorded.',
    occurs: 'The company has 200 filter profiles.',
    remedy: 'Delete a profile that is not used any more.',
  },
  'run-under-way': {
    status: 409,
    title: 'Another run is in progress',
    meaning: 'Read models are rebuilt and verified one at a time, so this run was not started.',
    occurs: 'A rebuild or verify is in progress, in this process or in another.',
    remedy: 'Follow that run, and start this one when it has ended.',
    members: z.object({
      runId: z.guid().optional().meta({ description: 'The run in progress, if this process runs it.' }),
    }),
  },
  'history-diverged': {
    status: 409,
    title: 'The history was changed',
    meaning:
      'The service signs nothing that contradicts its last signed checkpoint, so there is no signed export.',
    occurs:
      'The event store no longer has the events, in their order, that the last signed checkpoint of the company covers. Somebody has changed or removed events, or restored an older event store.',
    remedy:
      'Tell the operator, who finds the steps in docs/operations.md. Compare the unsigned export with an earlier one.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The record has changed',
    meaning: 'Somebody has changed the record since it was read, so nothing was recorded.',
    occurs: 'The record does not have any of the ETags in If-Match.',
    remedy: 'Read the record again, apply the change to its present content, and send the new ETag.',
  },
  'precondition-required': {
    status: 428,
    title: 'If-Match is required',
    meaning: 'The request does not say which state of the record it changes, so nothing was recorded.',
    occurs:
      'The company has the setting requireIfMatch, and a command on an existing record has no header If-Match. In a request for many records, the record has no revision.',
    remedy: 'Read the record, and send its ETag in If-Match, or its revision in `revisions`.',
  },
} as const satisfies Record<string, ProblemDeclaration>

export const conflictProblems = {
  ...tagConflicts,
  ...subjectConflicts,
  ...productionConflicts,
  ...accountConflicts,
}
