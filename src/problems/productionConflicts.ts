import { z } from 'zod'
import type { ProblemDeclaration } from './declaration.ts'
import { finding, findings, told } from './finding.ts'

/** A request conflicts with a plan, a bar or a cut as it is. */

const state = z.object({ state: z.string().meta({ description: 'The present status of the bar.' }) })

export const productionConflicts = {
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
      missing: z.array(told).meta({ description: 'The first 100 gaps in their traceability.' }),
    }),
  },
} as const satisfies Record<string, ProblemDeclaration>
