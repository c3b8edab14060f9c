import { z } from 'zod'
import type { ProblemDeclaration } from './declaration.ts'

/** A request conflicts with the company, its members, keys and runs, or with the record as it is now. */

export const companyConflicts = {
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
  'after-unknown': {
    status: 409,
    title: 'The position is beyond the end of the event store',
    meaning:
      'The store was restored to an earlier state, so changes that you have read may not exist any more.',
    occurs: 'The position in `after` or `Last-Event-ID` is beyond the last event of the store.',
    remedy: 'Read the lists that you mirror again, and follow from their Read-Position.',
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
    occurs:
      'The account has 50 unexpired API keys, or has issued 500 within a day (1,000 with rolls of all keys).',
    remedy: 'Delete a key that is not used any more, or come back when the day is over.',
  },
  'too-many-webhooks': {
    status: 409,
    title: 'The company has too many webhooks',
    meaning: 'The company has no room for another webhook, so nothing was recorded.',
    occurs: 'The company has 20 webhooks.',
    remedy: 'Delete a webhook that is not used any more.',
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
