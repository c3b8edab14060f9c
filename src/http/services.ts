import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Execute } from '../commands/command.ts'
import type { Role } from '../domain/company.ts'
import type { Caller } from '../identity/caller.ts'
import type { Projection } from '../projections/projection.ts'

/** What requests are served with: handed in once, as plain objects. */
export interface Services {
  readonly execute: Execute
  readonly reader: Reader
  readonly positions: Positions
  /** Every read model of this release. */
  readonly projections: readonly Projection[]
  readonly authenticate: Authenticate
  readonly log: Logger
}

/** Somebody whose credentials were found good, and what they may do. */
export interface Principal {
  readonly caller: Caller
  /** None for those who are no members, whether or not the company exists. */
  rolesIn(companyId: string): Promise<readonly Role[]>
}

/** @throws Problem 401, 429, 503 */
export type Authenticate = (req: IncomingMessage, res: ServerResponse, address: string) => Promise<Principal>

/** One moment of the read models. */
export interface Reading {
  table(projection: Projection, table: string): string
  query<Row>(query: { readonly text: string; readonly values: readonly unknown[] }): Promise<Row[]>
}

export interface Reader {
  /** Answers with the position that the moment shows: the least of these projections'. */
  read<Value>(
    projections: readonly Projection[],
    look: (reading: Reading) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly position: number }>
}

export interface Positions {
  /** True once all of these projections show the position, false when that took longer than told. */
  waitFor(projections: readonly Projection[], position: number, timeoutMs: number): Promise<boolean>
}
