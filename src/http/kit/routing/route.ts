import type { Request, Response } from 'express'
import { z } from 'zod'
import type { Fault } from '../../../domain/kernel/refusal.ts'
import type { Caller, PlatformRole } from '../../../identity/caller.ts'
import type { Permission } from '../../../identity/permissions.ts'
import type { ProblemCode } from '../../../problems/catalogue.ts'
import type { SortKey } from '../../../projections/engine/reading/listQuery.ts'
import type { StreamReading } from '../../../projections/engine/reading/reader.ts'
import type { CompanyTable, CsvPortion } from '../../../proofs/companyExports/tables.ts'
import type { ResponseHeader } from '../schemas/responseHeaders.ts'
import type { Principal, Services } from '../services.ts'
import type { Group } from './groups.ts'

/**
 * A route is declared once. Mounting, validation, types, role check, headers and its part of the OpenAPI
 * document all come from that declaration.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * The callers that a route lets in: `open` for anyone, `caller` with valid credentials, `bearer` with an access token,
 * `ownKey` with an access token or the API key that the path names, or callers with a platform role or with a permission
 * in the company of the path.
 */
export type Access =
  | 'open'
  | 'caller'
  | 'bearer'
  | 'ownKey'
  | { readonly platform: PlatformRole }
  | { readonly company: Permission }

/**
 * Whether the route is closed to API keys. A key lives on when its owner has lost a role or the membership, so it gives
 * nobody rights and changes no rules: otherwise a removed Admin would come back by it.
 */
export function needsToken({ access, method }: Pick<Route, 'access' | 'method'>): boolean {
  if (typeof access === 'string') return access === 'bearer'
  return 'company' in access && access.company === 'administer' && method !== 'get'
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
export type PathParams<Path extends string> = { readonly [Name in ParamNames<Path>]: string }

/** The members that all declarations share. */
export interface Declaration<Path extends string = string> {
  /** The path with its `/api` prefix, if any, and parameters in braces. */
  readonly path: Path
  /** The unique name in the OpenAPI document. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  /** The group in the OpenAPI document. */
  readonly tag: Group
  readonly access: Access
  /** The largest body in bytes, if smaller than the default. */
  readonly maxBodyBytes?: number
  /** The last path parameter, if it stands for several segments. */
  readonly restOfPath?: string
  /** Schemas of path parameters that are not ids. */
  readonly params?: Readonly<Partial<Record<ParamNames<Path>, z.ZodType<string>>>>
}

/** A validated request. */
export interface Input<Path extends string, Query, Body> {
  readonly params: PathParams<Path>
  readonly query: Query
  readonly body: Body
  /** The caller. Only open routes have none. */
  readonly principal: Principal
}

export interface DeclaredResponse {
  readonly description: string
  /** undefined: no body. */
  readonly schema?: z.ZodType
  /** The media type if it is not JSON, or the media types from which the caller may choose. */
  readonly mediaType?: string | readonly string[]
  /** Further media types that the caller may choose, which the schema does not describe. */
  readonly alternatives?: readonly string[]
  readonly headers?: readonly ResponseHeader[]
}

/** The whole list of a company as a table, for an export. */
export interface WholeTable extends Omit<CompanyTable, 'name' | 'portions'> {
  portions(
    reading: StreamReading,
    companyId: string,
    services: Pick<Services, 'rules' | 'ownRules'>,
    after?: SortKey,
  ): AsyncIterable<CsvPortion>
}

export interface Route extends Omit<Declaration, 'params'> {
  readonly method: Method
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  /** The request headers that the route reads, by lower-case name. */
  readonly headers: z.ZodObject
  /** Undefined: a body is ignored. */
  readonly body: z.ZodType | undefined
  /** A request may come without the body. */
  readonly isBodyOptional?: boolean
  /** The media type of the body, if not JSON. */
  readonly bodyType?: string | undefined
  readonly bodyFaults?: ((body: unknown) => readonly Fault[]) | undefined
  /** A body of lines. The route reads it itself. */
  readonly lines?:
    | { readonly mediaType: string; readonly schema: z.ZodType; readonly maxBytes: number }
    | undefined
  /** A body that is a file. The route reads it itself. */
  readonly file?: { readonly mediaTypes: readonly string[]; readonly maxBytes: number } | undefined
  /** Writes the whole list as a table. Only routes of lists have it. */
  readonly table?: WholeTable
  readonly responses: Readonly<Record<number, DeclaredResponse>>
  /** A browser follows links to the route, so its problems are pages where HTML is asked for. */
  readonly problemsAreForPeople?: true
  /** Problem codes besides the codes that follow from the declaration. */
  readonly problems: readonly ProblemCode[]
  answer(exchange: Exchange, services: Services): Promise<void>
}

/** A request that passed every check, with its response. */
export interface Exchange {
  readonly route: Route
  readonly req: Request
  readonly res: Response
  readonly traceId: string
  /** Undefined on an open route. */
  readonly caller: Caller | undefined
  readonly principal: Principal | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Return the hash of body and query that tells a repeat from another request. */
  requestHash(): string
  /**
   * Checks the access again: a body may take minutes to come, and access that has ended meanwhile must not be used.
   * @throws Problem 401, 403, 503
   */
  requireAccess(): Promise<void>
}

export const json = 'application/json'
export const mergePatch = 'application/merge-patch+json'

/** Return the media types of the body. Many clients send every JSON as such, and here it cannot mean anything else. */
export function bodyTypesOf({ bodyType = json }: Pick<Route, 'bodyType'>): string[] {
  return bodyType === mergePatch ? [mergePatch, json] : [bodyType]
}

/** A UUID of any version, converted to lower case. */
export const id = z.guid('must be a UUID').toLowerCase()

const paramNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** Return the schema of the path parameters. They are ids unless declared otherwise. */
export function paramsOf({ path, params = {} }: Declaration): z.ZodObject {
  return z.object(
    Object.fromEntries(
      paramNames(path).map((name) => [name, (params as Record<string, z.ZodType>)[name] ?? id]),
    ),
  )
}

/** Fill in the path parameters, with ids in lower case. */
export const pathWith = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
