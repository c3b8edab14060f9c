import type { Actor } from '../domain/event.ts'

/** Who asks, as a token names them. */

export type PlatformRole = 'PlatformAdmin' | 'Operator'

export interface Caller extends Actor {
  readonly platformRoles: readonly PlatformRole[]
}

/** Where a token says it: the name of a claim, or a path of names with dots (`realm_access.roles`). */
export interface CallerClaims {
  /** The user's id. */
  readonly userClaim: string
  /** What people call the user. */
  readonly nameClaim: string
  /** The list of roles. */
  readonly rolesClaim: string
  /** What each platform role is called in it. */
  readonly platformRoles: Readonly<Record<PlatformRole, string>>
}

/** It becomes part of paths and stream names: visible ASCII, no slash. */
export const isUserId = (text: string): boolean => /^[\x21-\x2e\x30-\x7e]{1,128}$/.test(text)

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' ? claim : undefined

/** What is shown beside what was done: text for people, so cut at a length that fits beside any event. */
const maxNameLength = 200

type Claims = Readonly<Record<string, unknown>>

/** A claim may have dots in its own name, as namespaced ones do: that comes first. */
const claimAt = (claims: Claims, path: string): unknown => {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Claims)[step]
  }
  return value
}

/** The caller whom verified claims name; undefined when they name none. */
export const callerOf = (
  claims: Claims,
  { userClaim, nameClaim, rolesClaim, platformRoles }: CallerClaims,
): Caller | undefined => {
  const id = claimAt(claims, userClaim)
  if (typeof id !== 'string' || !isUserId(id)) return undefined
  const name = textOf(claimAt(claims, nameClaim)) ?? textOf(claims.preferred_username) ?? id
  const roles = claimAt(claims, rolesClaim)
  const granted = Array.isArray(roles) ? roles : []
  return {
    id,
    name: name.slice(0, maxNameLength).toWellFormed().replaceAll('\0', ''),
    kind: isApplication(claims) ? 'application' : 'user',
    platformRoles: (Object.keys(platformRoles) as PlatformRole[]).filter((role) =>
      granted.includes(platformRoles[role]),
    ),
  }
}

/**
 * A token got by client credentials: it says so (`idtyp`), or has neither a delegated scope (`scp`, Entra ID)
 * nor somebody's session (`sid`, OpenID Connect).
 */
const isApplication = ({ idtyp, scp, sid }: Claims): boolean =>
  idtyp === undefined ? scp === undefined && sid === undefined : idtyp === 'app'
