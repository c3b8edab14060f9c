import type { Actor } from '../domain/event.ts'

/** Who asks, as a token names them. */

export type PlatformRole = 'PlatformAdmin' | 'Operator'

export interface Caller extends Actor {
  readonly platformRoles: readonly PlatformRole[]
}

export interface CallerClaims {
  /** The claim that is the user's id. */
  readonly userClaim: string
  /** The claim that lists roles. */
  readonly rolesClaim: string
  /** What each platform role is called in it. */
  readonly platformRoles: Readonly<Record<PlatformRole, string>>
}

/** It becomes part of paths and stream names: visible ASCII, no slash. */
const userId = /^[\x21-\x2e\x30-\x7e]{1,128}$/

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' ? claim : undefined

/** What is shown beside what was done: text for people, so cut at a length that fits beside any event. */
const maxNameLength = 200

/** The caller whom verified claims name; undefined when they name none. */
export const callerOf = (
  claims: Readonly<Record<string, unknown>>,
  { userClaim, rolesClaim, platformRoles }: CallerClaims,
): Caller | undefined => {
  const id = claims[userClaim]
  if (typeof id !== 'string' || !userId.test(id)) return undefined
  const name = textOf(claims.name) ?? textOf(claims.preferred_username) ?? id
  const granted = Array.isArray(claims[rolesClaim]) ? claims[rolesClaim] : []
  return {
    id,
    name: name.slice(0, maxNameLength).toWellFormed().replaceAll('\0', ''),
    kind: isApplication(claims) ? 'application' : 'user',
    platformRoles: (Object.keys(platformRoles) as PlatformRole[]).filter((role) =>
      granted.includes(platformRoles[role]),
    ),
  }
}

/** A token got by client credentials: it says so (`idtyp`), or carries no delegated scope. */
const isApplication = (claims: Readonly<Record<string, unknown>>): boolean =>
  claims.idtyp === undefined ? claims.scp === undefined : claims.idtyp === 'app'
