import { z } from 'zod'
import type { ProblemDeclaration } from './declaration.ts'

/** The service does not know the caller, or the caller may not do this now. */

export const accessProblems = {
  'credentials-missing': {
    status: 401,
    title: 'Credentials are missing',
    meaning: 'The request names no caller, so nothing was done.',
    occurs:
      'The request has neither the header Authorization nor the header Service-Api-Key. A session cookie of the portal counts only with `Heatmark-Portal: 1` and `Sec-Fetch-Site: same-origin`, which browsers set for pages of this service.',
    remedy: 'Send `Authorization: Bearer <access token>` or `Service-Api-Key: <API key>`.',
  },
  'authorization-malformed': {
    status: 401,
    title: 'The Authorization header is malformed',
    meaning: 'The header does not hold an access token, so nothing was done.',
    occurs:
      'The word Bearer is missing or has a colon behind it, or the header holds an API key instead of a token.',
    remedy:
      'Send the word Bearer, one space and the access token. Send an API key in the header Service-Api-Key.',
  },
  'invalid-token': {
    status: 401,
    title: 'The access token is not valid',
    meaning: 'The service does not accept the token, so nothing was done.',
    occurs:
      'The token is expired, malformed or wrongly signed, or it was issued for another service or by another provider.',
    remedy:
      'Get a new access token from the identity provider. If that one is refused too, compare its claims with the detail.',
  },
  'invalid-api-key': {
    status: 401,
    title: 'The API key is not valid',
    meaning: 'The service does not accept the key, so nothing was done.',
    occurs: 'The key is mistyped, unknown, expired, deleted or rolled.',
    remedy: 'Send the complete key as it was shown when it was created, or create a new one.',
  },
  'credentials-differ': {
    status: 401,
    title: 'Token and API key belong to different accounts',
    meaning: 'The request names two callers, so nothing was done.',
    occurs: 'The request has both an access token and an API key, and they belong to different accounts.',
    remedy: 'Send only one of them.',
  },
  'session-ended': {
    status: 401,
    title: 'The session has ended',
    meaning: 'The browser is no longer logged in, so nothing was done.',
    occurs:
      'The person logged out, here or at the identity provider; or the session was not used for 30 minutes (at a saw, for the time that the company allows) or is older than 12 hours; or the browser has logged in as another person since the page was opened.',
    remedy: 'Log in again at /portal/login.',
  },
  'session-unknown': {
    status: 401,
    title: 'The session is unknown',
    meaning: 'The cookie belongs to no session, so nothing was done.',
    occurs: 'The session ended more than a day ago, or the cookie was never one of this service.',
    remedy: 'Log in again at /portal/login.',
  },
  'token-required': {
    status: 403,
    title: 'An access token is required',
    meaning: 'An API key is not enough for this operation, so nothing was done.',
    occurs:
      'The operation manages API keys, or administers members, settings, the release policy or rule packs, and the request has only an API key.',
    remedy: 'Send an access token of the account.',
  },
  forbidden: {
    status: 403,
    title: 'The caller may not do this',
    meaning: 'The caller lacks the role that the operation needs, so nothing was done.',
    occurs:
      'The caller is not a member of the company, or not in a role that allows this, or lacks the platform role. The answer is the same whether or not the company exists.',
    remedy:
      'Ask an Admin of the company for the role. An API key keeps the roles of its creation: create a new key.',
  },
  'quality-only': {
    status: 403,
    title: 'The change needs the role Quality or Admin',
    meaning: 'The release policy leaves this change to quality engineers, so nothing was recorded.',
    occurs:
      'The company has set `qualityOnly`, and a caller without these roles would take off or lower a Block. Or the caller would correct a value that the verdict depends on, of a mill certificate that is Released or that a bar has.',
    remedy: 'Ask a colleague with the role Quality or Admin.',
  },
  'https-required': {
    status: 403,
    title: 'The request did not use https',
    meaning: 'Nothing was done, and others may have read the request on its way.',
    occurs: 'A proxy in front of the service ends TLS, and the request came to it by plain http.',
    remedy: 'Send the request to the https address. Replace the credentials that the request carried.',
  },
  'rate-limit-exceeded': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The limit of this minute is used up, so nothing was done.',
    occurs:
      'The caller has sent too many requests, or its address has failed to authenticate, or has finished logins, too often.',
    remedy:
      'Wait for the seconds in Retry-After. The header RateLimit tells in every answer how much is left.',
  },
  'company-too-large': {
    status: 429,
    title: 'The company has recorded too much today',
    meaning:
      'The company has used up the bytes of this day (UTC), so nothing was recorded. You can still stop steel and take rights away: reject, void, cancel, scrap, add tags, raise severities, take back to Draft, remove, revoke and erase.',
    occurs:
      'The persons of the company have recorded as many bytes of events on this day as the operator allows in DAILY_EVENTS_PER_COMPANY_MB. Registrations, corrections and decisions on rule packs are also refused when its rule packs and policies have recorded that much. Facts of the floor are refused at twice the bound.',
    remedy: 'Wait for the seconds in Retry-After, or ask the operator to raise the limit.',
    members: z.object({
      bytes: z.int().meta({ description: 'The bytes that the company has recorded on this day.' }),
      limit: z.int(),
      retryAfterSeconds: z.int().meta({ description: 'The seconds until the day ends.' }),
    }),
  },
} as const satisfies Record<string, ProblemDeclaration>
