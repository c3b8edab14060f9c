import type { Request, Response } from 'express'
import { z } from 'zod'
import type { Fault } from '../../../domain/refusal.ts'
import type { Caller, PlatformRole } from '../../../identity/caller.ts'
import type { Permission } from '../../../identity/permissions.ts'
import type { Principal, Services } from '../services.ts'

/**
 * A route is declared once. Mounting, validation, types, role check, headers and its part of the OpenAPI
 * document all come from that declaration.
 */

export type Method = 'get' | 'post' | 'put' | 'delete'

/**
 * Anyone; whoever has valid credentials; whoever has a token, so no API key; who has a platform role; who has a
 * permission in the path's company.
 */
export type Access =
  | 'open'
  | 'caller'
  | 'bearer'
  | { readonly platform: PlatformRole }
  | { readonly company: Permission }

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
export type PathParams<Path extends string> = { readonly [Name in ParamNames<Path>]: string }

/** What every declaration says, whatever it does. */
export interface Declaration<Path extends string = string> {
  /** With the `/api` prefix where there is one; parameters in braces. */
  readonly path: Path
  /** Its name in the OpenAPI document; unique. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  /** The group that it is listed in. */
  readonly tag: string
  readonly access: Access
  /** Bytes that the body may have, where that is less than for others. */
  readonly maxBodyBytes?: number
  /** Schemas of the path parameters that are not plain ids. */
  readonly params?: Readonly<Partial<Record<ParamNames<Path>, z.ZodType<string>>>>
}

/** A checked request, as what a declaration names makes it. */
export interface Input<Path extends string, Query, Body> {
  readonly params: PathParams<Path>
  readonly query: Query
  readonly body: Body
  /** Who asks: on a route that is not open. */
  readonly principal: Principal
}

export interface DeclaredResponse {
  readonly description: string
  /** undefined: no body. */
  readonly schema?: z.ZodType
  /** Instead of JSON. */
  readonly mediaType?: string
  readonly headers?: readonly string[]
}

export interface Route extends Omit<Declaration, 'params'> {
  readonly method: Method
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  /** The request headers that it looks at, by their names in lower case. */
  readonly headers: z.ZodObject
  /** undefined: a body is not looked at. */
  readonly body: z.ZodType | undefined
  readonly bodyFaults?: ((body: unknown) => readonly Fault[]) | undefined
  /** A body of lines, which the route reads by itself. */
  readonly lines?: { readonly mediaType: string; readonly schema: z.ZodType } | undefined
  readonly responses: Readonly<Record<number, DeclaredResponse>>
  /** Statuses of the problems that only this route has, besides those that come with what is declared. */
  readonly problems: readonly number[]
  answer(exchange: Exchange, services: Services): Promise<void>
}

/** A request that has passed every check, and where to answer it. */
export interface Exchange {
  readonly route: Route
  readonly req: Request
  readonly res: Response
  readonly traceId: string
  /** undefined on an open route. */
  readonly caller: Caller | undefined
  readonly principal: Principal | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** SHA-256 of what was sent, in hex: tells a repeat from another request. */
  requestHash(): string
  /**
   * Checks the access again: a body may take minutes to come, and access that has ended meanwhile must not be used.
   * @throws Problem 401, 403, 503
   */
  requireAccess(): Promise<void>
}

/** A UUID in any case and of any version, as the lower-case text that we use. */
export const id = z.guid('must be a UUID').toLowerCase()

const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** The path parameters of a declaration: ids unless it says otherwise. */
export function paramsOf({ path, params = {} }: Declaration): z.ZodObject {
  return z.object(
    Object.fromEntries(
      paramNames(path).map((name) => [name, (params as Record<string, z.ZodType>)[name] ?? id]),
    ),
  )
}

/** The path as it is used: with the ids in lower case. */
export const pathWith = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
