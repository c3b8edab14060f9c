import type { Paths } from './generated.ts'

/** The types of what operations take and answer, by their method and path. */

/** Such as `GET /api/company/{companyId}/orders`. */
export type Operation = keyof Paths

/** A part that may be left out where nothing in it is required. */
type Part<Key extends string, Value> = [Value] extends [null]
  ? { readonly [Name in Key]?: never }
  : Record<never, never> extends Value
    ? { readonly [Name in Key]?: Value }
    : { readonly [Name in Key]: Value }

/** The company may come from the options of the client. */
type Params<Value> = Omit<Value, 'companyId'> & { readonly companyId?: string }

export type Input<Id extends Operation> = Part<'params', Params<Paths[Id]['params']>> &
  Part<'body', Paths[Id]['body']> & {
    readonly query?: Paths[Id]['query']
    /** The ETag of the record as the caller has seen it. */
    readonly ifMatch?: string | undefined
    /** More headers, such as `Prefer`. */
    readonly headers?: Readonly<Record<string, string>>
    /** A key of your own, for a request that outlives this process. */
    readonly idempotencyKey?: string
    readonly signal?: AbortSignal
  }

/** The arguments after an operation: nothing, if nothing is required. */
export type Given<Wanted> = Record<never, never> extends Wanted ? [input?: Wanted] : [input: Wanted]

export interface Answer<Body> {
  readonly status: number
  /** Undefined for 204. */
  readonly body: Body
  readonly etag: string | undefined
  readonly headers: Headers
}

export type AnswerOf<Id extends Operation> = Answer<
  Exclude<Paths[Id]['answer'], null> | (null extends Paths[Id]['answer'] ? undefined : never)
>

/** The operations that answer a list. */
export type ListOperation = {
  [Id in Operation]: Id extends `GET ${string}`
    ? Paths[Id]['answer'] extends readonly unknown[]
      ? Id
      : never
    : never
}[Operation]

export type Item<Id extends ListOperation> = Paths[Id]['answer'] extends readonly (infer One)[] ? One : never

/** The paths of records that can be read and patched. */
export type EditablePath = {
  [Id in Operation]: Id extends `PATCH ${infer Path}`
    ? `GET ${Path}` extends Operation
      ? Path
      : never
    : never
}[Operation]

export type BulkOperation = Extract<Operation, `${string}/bulk`>

/** Fill in the parameters of a path. */
export function pathOf(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${template} needs the parameter ${name}`)
    return encodeURIComponent(String(value))
  })
}
