import { z } from 'zod'
import type { ProblemDeclaration } from './declaration.ts'

/** The request is fine, but the service cannot carry it out now. */

const again = 'Send the request again after the seconds in Retry-After.'

export const serviceProblems = {
  'internal-error': {
    status: 500,
    title: 'The service failed unexpectedly',
    meaning: 'The service has an error. A write may have been recorded.',
    occurs: 'Something happened that the service does not expect.',
    remedy: 'Report the traceId to the operator. Repeat a write only with its Idempotency-Key.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The event store cannot be reached',
    meaning: 'Nothing was recorded. Reads still work.',
    occurs: 'The event store is down or does not answer.',
    remedy: again,
  },
  'store-full': {
    status: 503,
    title: 'The event store is full',
    meaning: 'Nothing was recorded. Reads still work.',
    occurs: 'The disk of the event store, or its quota, takes no more data.',
    remedy: 'Tell the operator, who makes room. Then send the request again: the service goes on by itself.',
  },
  'event-damaged': {
    status: 503,
    title: 'An event of the record is damaged',
    meaning: 'Nothing was recorded. Other records are not affected.',
    occurs: 'The file of the event store has changed where the event is stored.',
    remedy: 'Tell the operator, who finds the event with "heatmark doctor" and restores a backup.',
  },
  'rule-pack-not-evaluated': {
    status: 503,
    title: 'The rules of the company could not be evaluated',
    meaning:
      'The service has ended the evaluation of rules that the company has written. Nothing was recorded.',
    occurs: 'The rules took too long or too much memory, or another release wrote them.',
    remedy: `${again} If it continues, make the rules simpler.`,
  },
  'outcome-unknown': {
    status: 503,
    title: 'The outcome is unknown',
    meaning: 'The service does not know whether the request was recorded, or has recorded only a part of it.',
    occurs: 'The event store did not answer after the service had sent it the events.',
    remedy:
      'Repeat the request with the same Idempotency-Key: it is completed if necessary, and recorded only once.',
  },
  'database-unavailable': {
    status: 503,
    title: 'The read models cannot be reached',
    meaning: 'The request needs the read models. Nothing was done.',
    occurs: 'PostgreSQL is down or too slow, or a table of a read model is missing.',
    remedy: `${again} If it continues, the operator finds the cause with "heatmark doctor".`,
  },
  'facts-incomplete': {
    status: 503,
    title: 'Facts are missing for this decision',
    meaning:
      'A read model lacks an event of the company, so a Block or a piece may be missing. Nothing was recorded. Other reads go on, and so does all that stops steel.',
    occurs: 'A read model has stopped, or has skipped an event of this company that the release cannot read.',
    remedy: 'Tell the operator, who finds the event and the remedy with "heatmark doctor".',
  },
  'documents-unavailable': {
    status: 503,
    title: 'The store of documents cannot be used',
    meaning: 'The request needs the files of documents, so nothing was done. Everything else works.',
    occurs:
      'The store of documents, or the scanner for viruses, is down or does not answer. Or the operator has not set DOCUMENTS_URL, or it names the documents of another event store.',
    remedy: `${again} If it continues, the operator finds the cause with "heatmark doctor".`,
  },
  'documents-full': {
    status: 507,
    title: 'There is no room for the document',
    meaning: 'The store of documents has no room left, so nothing was stored.',
    occurs: 'The disk or the quota of the store of documents is used up.',
    remedy: 'Ask the operator to make room, and send the file again.',
  },
  'identity-provider-unavailable': {
    status: 503,
    title: 'The identity provider cannot be reached',
    meaning: 'The service cannot verify the access token, so nothing was done.',
    occurs:
      'The token is signed with a key that the service does not know, and it cannot fetch the present keys.',
    remedy: again,
  },
  'read-model-behind': {
    status: 503,
    title: 'The read models are behind',
    meaning: 'The read models do not show the wanted position yet, so the service does not answer from them.',
    occurs:
      'The position in Min-Position is not reached within 5 seconds, or the read models are still being built. The erasure of a person waits for the newest event in the same way.',
    remedy: again,
  },
  'too-busy': {
    status: 503,
    title: 'Too much waits already',
    meaning: 'The service has no room for the request, so nothing was done.',
    occurs:
      'Earlier requests, of this caller or of all, hold as much memory as they may, or too many of them read, send files or wait for the same record.',
    remedy: `${again} Send fewer requests at once.`,
  },
  'signing-key-missing': {
    status: 503,
    title: 'The service has no signing key',
    meaning: 'The service cannot sign the history, so it gives no signed export and no public key.',
    occurs: 'The operator has not set SIGNING_KEY.',
    remedy: 'Ask the operator to set it. Until then, export the events unsigned as application/x-ndjson.',
  },
  'signing-failed': {
    status: 503,
    title: 'The program that signs the history has failed',
    meaning:
      'The service leaves signing to a program of its operator. It gave no valid signature, so nothing was signed.',
    occurs:
      'The program in SIGNING_COMMAND ended with an error, took more than 10 seconds, or signed with another key.',
    remedy: 'Try again later. If it fails again, tell the operator.',
  },
  'signing-key-differs': {
    status: 503,
    title: 'The service has another signing key than the store names',
    meaning:
      'The store names the key that signs the history. This node has another one, so it signed nothing.',
    occurs:
      'The operator has given this node another file in SIGNING_KEY than the others, or has replaced the key without "heatmark audit replace-key".',
    remedy: 'Tell the operator, who finds the steps in docs/operations.md.',
  },
  'too-many-large-reads': {
    status: 503,
    title: 'Too many large lists are being read',
    meaning: 'The service has no room for another large list or imported file, so nothing was read.',
    occurs:
      'Other requests read large lists, take exports, preview rule packs or import files at this moment. Or the company already has as many runs of this kind under way as it may have.',
    remedy: 'Read the list in pages (limit), or send the request again after the seconds in Retry-After.',
  },
  'newer-release-running': {
    status: 503,
    title: 'A newer release is running',
    meaning: 'This node does not understand an event of the record, so nothing was recorded.',
    occurs: 'Two releases run side by side during an upgrade, and the older one answered.',
    remedy: `${again} A node of the newer release carries it out.`,
  },
  'event-store-went-back': {
    status: 503,
    title: 'The event store has lost events',
    meaning: 'Nothing counts as recorded until an operator has mended that. Reads still work.',
    occurs: 'The event store was restored from an older backup, or lost data.',
    remedy: 'Wait for the operator, who finds the steps in docs/operations.md.',
  },
  'clocks-differ': {
    status: 503,
    title: 'The clocks differ',
    meaning: 'The service would record a wrong time, so nothing was recorded. Reads still work.',
    occurs: 'The clocks of this node and of PostgreSQL differ by more than five minutes.',
    remedy: 'Wait for the operator, who sets both clocks by the same time server.',
  },
  'rule-pack-not-shipped': {
    status: 503,
    title: 'The release does not ship the rule pack',
    meaning: 'The node cannot evaluate the rules, so nothing was recorded.',
    occurs:
      'Another release has subscribed or upgraded the company to a version of a rule pack that this one does not ship. Only the evaluation in the background meets this; "heatmark doctor" shows it.',
    remedy: 'Run the release that ships the version on every node.',
  },
  'revocation-pending': {
    status: 503,
    title: 'The revocation is not in force everywhere',
    meaning: 'The revocation is recorded, but some nodes may still accept the access.',
    occurs: 'Not every node has confirmed the revocation within 10 seconds.',
    remedy: 'Repeat the request until it succeeds. Then the revocation is in force on every node.',
  },
  'erasure-pending': {
    status: 503,
    title: 'The erasure is not complete',
    meaning: 'The erasure is recorded, but the name is not deleted yet and lists may still show it.',
    occurs: 'The read models have not applied the erasure within 10 seconds.',
    remedy: 'Repeat the request until it succeeds. Then the name is gone.',
  },
  'portal-not-built': {
    status: 503,
    title: 'The portal is not built',
    meaning: 'There are no pages to show. The API works all the same.',
    occurs: 'The files of the portal are missing in this installation.',
    remedy: 'Ask an operator to build them. Until then, use the API with an access token or an API key.',
  },
  'not-ready': {
    status: 503,
    title: 'The service is not ready',
    meaning: 'Some requests cannot be answered now.',
    occurs: 'A part that requests need does not work: `notReady` names it.',
    remedy: 'Send requests to another node, and look at the named parts with "heatmark doctor".',
    members: z.object({
      notReady: z.array(z.string()).meta({ description: 'The parts without which requests fail.' }),
      degraded: z
        .array(z.string())
        .optional()
        .meta({ description: 'Parts that do not work, and without which requests are served.' }),
      behind: z
        .array(z.object({ name: z.string(), position: z.int(), head: z.int() }))
        .optional()
        .meta({ description: 'The read models that have not caught up.' }),
      missing: z
        .array(z.object({ name: z.string(), tables: z.array(z.string()), todo: z.string() }))
        .optional()
        .meta({ description: 'The read models that lack tables or columns, and the remedy.' }),
    }),
  },
} as const satisfies Record<string, ProblemDeclaration>
