import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import { bytesOfRequest, type RequestBytes } from '../../../admission/inFlight.ts'
import { type Fault, forbidden } from '../../../domain/kernel/refusal.ts'
import { mayDo, permissions } from '../../../identity/permissions.ts'
import { atOnce } from '../../../lib/inTurns.ts'
import { access } from '../../../projections/company/access.ts'
import { hasBody, mayBeLarge, readBody, refuseAnnounced } from '../body/body.ts'
import { asHeader, asParameter, check, checkInSteps, headerName, parameterPlace } from '../body/validate.ts'
import { Problem, unavailable, validationFailed } from '../problem.ts'
import type { Principal, Services } from '../services.ts'
import { requestHashOf } from './idempotency.ts'
import { minPosition } from './minPosition.ts'
import { needsReadModels } from './problemCodes.ts'
import { bodyTypesOf, type Exchange, needsToken, type Route } from './route.ts'

/**
 * Check a request and hand it to its route. Callers are promised the order of the checks: credentials, path ids,
 * permission, media type and size of the body, content.
 */
export async function serve(route: Route, req: Request, res: Response, services: Services): Promise<void> {
  const held = services.inFlight.begin()
  try {
    // Open routes wait for nothing, so that health answers however busy the service is.
    if (route.access !== 'open') held.take(bytesOfRequest)
    await carryThrough(route, req, res, services, held)
  } finally {
    held.release()
  }
}

async function carryThrough(
  route: Route,
  req: Request,
  res: Response,
  services: Services,
  held: RequestBytes,
): Promise<void> {
  if (needsReadModels(route)) await untilBuilt(services)
  const principal = route.access === 'open' ? undefined : await identify(req, res, services)
  if (principal) held.chargeTo(principal.caller.id)
  const params = paramsFrom(route, req)
  if (principal) await authorise(route, principal, params, () => waitForMinPosition(req, services))
  const requireAccess = accessCheck(services.clock, async () => {
    // Do not wait for Min-Position: the caller had access before, and other commands may wait for this check.
    if (principal) await authorise(route, await principal.verifyAgain(), params, async () => false)
  })
  if (route.lines) refuseAnnounced(req, [route.lines.mediaType], route.lines.maxBytes)
  if (route.file) refuseAnnounced(req, route.file.mediaTypes, route.file.maxBytes)
  const takesBody = route.body && (!route.isBodyOptional || hasBody(req))
  if (takesBody) refuseAnnounced(req, bodyTypesOf(route), route.maxBodyBytes)
  const receive = async () => {
    const bytes = takesBody ? await readBody(req, route.maxBodyBytes, held.take) : undefined
    if (bytes) await requireAccess()
    const check = validate(route, req, bytes)
    const isQuick = !principal || !bytes || bytes.length <= quickBytes
    const input = isQuick ? atOnce(check) : await services.checks.run(principal.caller.id, check)
    // The body may have waited for the checks of others, and the caller may have lost access meanwhile.
    if (!isQuick) await requireAccess()
    return { input, bytes }
  }
  const { input, bytes } =
    principal && takesBody && mayBeLarge(req)
      ? await services.largeBodies(principal.caller.id, receive)
      : await receive()
  await route.answer(
    {
      route,
      req,
      res,
      traceId: req.id,
      caller: principal?.caller,
      principal,
      params,
      ...input,
      requestHash: () => requestHashOf(req, bytes),
      requireAccess,
    },
    ofCompany(services, params),
  )
  if (principal) services.unread.note(res, principal.caller.id)
}

/** The requests of a company share what it may read at once. */
function ofCompany(services: Services, { companyId }: Exchange['params']): Services {
  return companyId === undefined ? services : { ...services, reader: services.reader.ofCompany(companyId) }
}

/** Wait this long for a build that is nearly complete. */
const builtWithinMs = 2_000

/** @throws Problem 503 `read-model-behind` */
async function untilBuilt({ firstBuild }: Services): Promise<void> {
  const progress = await firstBuild.underWay(builtWithinMs)
  if (progress)
    throw unavailable(
      'read-model-behind',
      `The read models are being built and are at position ${progress.position} of ${progress.head}. Try again later.`,
    )
}

/** The access log names the caller as soon as it is known, also for a refused request. */
function identify(req: Request, res: Response, { authenticate }: Services): Promise<Principal> {
  return authenticate(req, res, req.ip ?? '', ({ caller, apiKey }) => {
    res.locals.caller = caller.id
    res.locals.keyId = apiKey?.keyId
  })
}

function paramsFrom(route: Route, req: Request): Exchange['params'] {
  const given = Object.entries(req.params).map(([name, value]) => [name, [value].flat().join('/')])
  const { value, faults } = check(route.params, Object.fromEntries(given), asParameter)
  if (faults.length > 0) throw validationFailed(faults)
  return value as Exchange['params']
}

function tokenOnly(access?: Route['access']): Problem {
  const accepted =
    access === 'ownKey' ? 'An API key is accepted for itself alone.' : 'An API key is not accepted.'
  return new Problem('token-required', `This operation requires an access token. ${accepted}`)
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** @throws Refusal 403, which says the same whether or not there is such a company; Problem 403 for an API key */
async function authorise(
  route: Route,
  { caller, apiKey, rolesIn, requireRecentUse }: Principal,
  params: Exchange['params'],
  mayHaveChanged: () => Promise<boolean>,
): Promise<void> {
  const { access: needed } = route
  const isOwnKey = needed === 'ownKey' && apiKey?.keyId === params.keyId
  if ((needed === 'bearer' || needed === 'ownKey') && apiKey && !isOwnKey) throw tokenOnly(needed)
  // An API key is for all companies of its owner.
  if (needed === 'bearer' || needed === 'ownKey') await requireRecentUse?.()
  if (typeof needed === 'string') return
  if ('platform' in needed) {
    if (caller.platformRoles.includes(needed.platform)) return
    throw forbidden(
      `This needs the platform role ${needed.platform}, so nothing was done. Ask an administrator of the identity provider for it.`,
    )
  }
  const may = async () => mayDo(await rolesIn(params.companyId!), needed.company)
  if (!(await may()) && !((await mayHaveChanged()) && (await may())))
    throw forbidden(
      `None of your roles allows this, so nothing was done. Ask an Admin of the company for the role ${anyOf.format(permissions[needed.company])}.`,
    )
  if (needsToken(route) && apiKey) throw tokenOnly()
}

/** Wait for the memberships at Min-Position. A member who was added on another node a moment ago sends it. */
async function waitForMinPosition(
  req: Request,
  { positions, minPositionWithinMs }: Services,
): Promise<boolean> {
  const { data: position } = minPosition.safeParse(req.headers['min-position'])
  return position !== undefined && positions.waitFor([access], position, minPositionWithinMs)
}

/** An access check is valid for this long. */
const accessStandsMs = 100

/** Repeat an access check that is no longer valid. Concurrent callers share one check. */
function accessCheck(clock: () => number, check: () => Promise<void>): () => Promise<void> {
  let checkedAt = clock()
  let checking: Promise<void> | undefined
  const checkAgain = async () => {
    try {
      await check()
      checkedAt = clock()
    } finally {
      checking = undefined
    }
  }
  return async () => {
    if (!checking && clock() - checkedAt < accessStandsMs) return
    checking ??= checkAgain()
    await checking
  }
}

/** A body of this length takes a few milliseconds at most, however hostile. */
const quickBytes = 1_024

/** Validate query, headers and body, and report their faults together. */
function* validate(route: Route, req: Request, bytes: Buffer | undefined) {
  const query = check(route.query, req.url.includes('?') ? req.query : {}, asParameter)
  const headers = check(route.headers, req.headers, asHeader)
  const body = bytes
    ? yield* checkInSteps(route.body!, bytes, route.bodyFaults)
    : { value: undefined, faults: [] }
  const faults = [...query.faults, ...headers.faults, ...preconditionFaults(route, req), ...body.faults]
  if (faults.length > 0) throw validationFailed(faults)
  return { query: query.value, headers: headers.value, body: body.value as unknown }
}

/**
 * Headers by which a caller says that a request must not be carried out if the state is another one (RFC 9110, 13.1).
 * If-Modified-Since and, for a read, If-None-Match only save an answer, so a route may leave them unread.
 */
const preconditions = ['if-match', 'if-unmodified-since', 'if-none-match'] as const

/** Return a fault for each condition that the route does not heed: to ignore it would do what the caller has forbidden. */
function preconditionFaults(
  { method, headers: read }: Pick<Route, 'method' | 'headers'>,
  { headers: sent }: Pick<IncomingMessage, 'headers'>,
): readonly Fault[] {
  return preconditions
    .filter((name) => sent[name] !== undefined && !(name in read.shape))
    .filter((name) => name !== 'if-none-match' || method !== 'get')
    .map((name) => ({
      ...parameterPlace(headerName(name)),
      code: 'unknown-parameter',
      message: 'is a condition that this operation cannot honour, so nothing was done',
    }))
}
