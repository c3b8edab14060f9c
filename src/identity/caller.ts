import type { Author } from '../commands/executor/persons.ts'
import { isUserId } from '../domain/kernel/identifiers.ts'

/** The caller of a request, read from the claims of a token. */

export type PlatformRole = 'PlatformAdmin' | 'Operator'

export interface Caller extends Author {
  /** The e-mail address, as `emailIn` returns it, if the identity provider says that it is the person's. */
  readonly verifiedEmail?: string | undefined
  readonly platformRoles: readonly PlatformRole[]
}

/** Where to read the caller in a token. Each claim is a name or a path of names with dots (`realm_access.roles`). */
export interface CallerClaims {
  /** Holds the user's id. */
  readonly userClaim: string
  /** Holds the user's display name. */
  readonly nameClaim: string
  /** Holds the list of roles. */
  readonly rolesClaim: string
  /** The name of each platform role in that list. */
  readonly platformRoles: Readonly<Record<PlatformRole, string>>
}

/** In UTF-16 units. PostgreSQL keeps the name in an index, so it is cut to a bounded length. */
const maxNameLength = 200

type Claims = Readonly<Record<string, unknown>>

/** Return the caller that verified claims name, or undefined when they name none. */
export function callerOf(
  claims: Claims,
  { userClaim, nameClaim, rolesClaim, platformRoles }: CallerClaims,
): Caller | undefined {
  const id = claimAt(claims, userClaim)
  if (!isUserId(id)) return undefined
  const name = textOf(claimAt(claims, nameClaim)) ?? textOf(claims.preferred_username) ?? id
  const roles = claimAt(claims, rolesClaim)
  const granted = Array.isArray(roles) ? roles : []
  const verifiedEmail = isEmailVerified(claims) ? emailIn(claims.email) : undefined
  return {
    id,
    name: name.slice(0, maxNameLength).toWellFormed().replaceAll('\0', ''),
    kind: isApplication(claims) ? 'application' : 'user',
    ...(verifiedEmail !== undefined && { verifiedEmail }),
    platformRoles: (Object.keys(platformRoles) as PlatformRole[]).filter((role) =>
      granted.includes(platformRoles[role]),
    ),
  }
}

/** `xms_edov` is the claim of Entra ID, which has no other: the owner of the domain has verified the address. */
function isEmailVerified({ email_verified, xms_edov }: Claims): boolean {
  return (email_verified ?? xms_edov) === true
}

/** One with other letters than ASCII could look like another one. An address has at most 254 characters (RFC 5321). */
export const emailPattern = /^(?=.{1,254}$)[!-?A-~]+@[A-Za-z\d.-]+\.[A-Za-z]{2,}$/

/** Return the address in small letters, because providers tell addresses apart regardless of case. */
export function emailIn(text: unknown): string | undefined {
  return typeof text === 'string' && emailPattern.test(text) ? text.toLowerCase() : undefined
}

/** A namespaced claim has dots in its own name, so the whole path is tried as a name first. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Claims)[step]
  }
  return value
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.trim() !== '' ? claim : undefined
}

/**
 * A token from client credentials declares itself (`idtyp`), or its subject is its client (RFC 9068, 2.2; `cid` is
 * Okta's claim), or it has neither a delegated scope (`scp`, Entra ID) nor a user's session (`sid`, OpenID Connect).
 * The subject comes first, because Okta gives `scp` to programs, too.
 */
function isApplication({ idtyp, scp, sid, sub, client_id, azp, cid }: Claims): boolean {
  if (idtyp !== undefined) return idtyp === 'app'
  const isOfClient = sub !== undefined && [client_id, azp, cid].includes(sub)
  return isOfClient || (scp === undefined && sid === undefined)
}
