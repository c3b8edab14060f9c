import { type BulkOptions, type BulkResult, sendInBulk } from './bulk.ts'
import { type ChangesOptions, type ChangesPage, followChanges } from './changes.ts'
import { HeatmarkError } from './errors.ts'
import type { Paths } from './generated.ts'
import {
  type Answer,
  type AnswerOf,
  type BulkOperation,
  type EditablePath,
  type Given,
  type Input,
  type Item,
  type ListOperation,
  type Operation,
  pathOf,
} from './operations.ts'
import { type ClientOptions, createSender, type Message } from './sending.ts'

/** A client of the HTTP API of Heatmark. */

export interface Page<One> {
  readonly items: readonly One[]
  /** The position of the read models that the page shows. */
  readonly position: string
}

export interface Client {
  /** Call an operation, by its method and path. @throws HeatmarkError */
  call<Id extends Operation>(operation: Id, ...input: Given<Input<Id>>): Promise<AnswerOf<Id>>
  /** Read a list, one record after the other, however many pages it has. */
  list<Id extends ListOperation>(operation: Id, ...input: Given<Input<Id>>): AsyncGenerator<Item<Id>>
  /** The same, one page after the other, with the position that each of them shows. */
  pages<Id extends ListOperation>(operation: Id, ...input: Given<Input<Id>>): AsyncGenerator<Page<Item<Id>>>
  /**
   * Read a record, and patch it by what `change` returns. If somebody else changes it in between, that is done again with
   * the newer record. Return the record as it is then; without a change if `change` returns undefined.
   */
  update<Path extends EditablePath>(
    path: Path,
    params: Input<`GET ${Path}` & Operation>['params'],
    change: (
      record: Paths[`GET ${Path}` & Operation]['answer'],
    ) => Paths[`PATCH ${Path}` & Operation]['body'] | undefined,
  ): Promise<Paths[`GET ${Path}` & Operation]['answer']>
  /** Send any number of records, and yield the result of each. */
  bulk<Id extends BulkOperation>(
    operation: Id,
    records: Iterable<Paths[Id]['body']> | AsyncIterable<Paths[Id]['body']>,
    options?: BulkOptions,
  ): AsyncGenerator<BulkResult<Paths[Id]['body']>>
  /** Follow the changes of the company, and come back after every break. It ends when the signal is aborted. */
  changes(options?: ChangesOptions): AsyncGenerator<ChangesPage>
  /** Send any request, for example to an address in `Location` or `dataref`. @throws HeatmarkError */
  send(method: string, path: string, message?: Message): Promise<Response>
}

/** How often `update` reads a record that others keep changing, and its first pause: the others need moments. */
const mostReads = 10
const firstPauseMs = 10

export function createClient(options: ClientOptions): Client {
  const sender = createSender(options)
  const pathFor = (template: string, params: object = {}) =>
    pathOf(template, { companyId: options.companyId, ...params })

  /** What the types of the methods say has no meaning here. */
  async function call(operation: string, input: AnyInput = {}): Promise<Answer<never>> {
    const [method, template] = operation.split(' ') as [string, string]
    const { params, ifMatch, headers, ...message } = input
    const response = await sender.send(method, pathFor(template, params), {
      ...message,
      headers: { ...headers, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
    })
    return {
      status: response.status,
      body: (await bodyOf(response)) as never,
      etag: response.headers.get('ETag') ?? undefined,
      headers: response.headers,
    }
  }

  async function* pages(operation: string, input: AnyInput = {}): AsyncGenerator<Page<never>> {
    let { headers, body } = await call(operation, { ...input, query: { limit: 1_000, ...input.query } })
    for (;;) {
      yield { items: body, position: headers.get('Read-Position') ?? '0' }
      const next = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1]
      if (next === undefined) return
      const response = await sender.send('GET', next, { headers: input.headers ?? {}, signal: input.signal })
      headers = response.headers
      body = (await response.json()) as never
    }
  }

  return {
    call: call as Client['call'],
    pages: pages as Client['pages'],
    list: async function* (operation: string, input?: AnyInput) {
      for await (const { items } of pages(operation, input)) yield* items
    } as Client['list'],
    async update(path, params, change) {
      for (let reads = 1; ; reads += 1) {
        const { body, etag } = await call(`GET ${path}`, { params: params as object })
        const patch = change(body)
        if (patch === undefined) return body
        try {
          const message = { params: params as object, body: patch, ifMatch: etag }
          return (await call(`PATCH ${path}`, message)).body
        } catch (error) {
          if (!(error instanceof HeatmarkError) || error.status !== 412 || reads >= mostReads) throw error
          await sender.pause(reads, undefined, firstPauseMs)
        }
      }
    },
    bulk: (operation, records, more) => sendInBulk(sender, pathFor(operation.split(' ')[1]!), records, more),
    changes: (more) => followChanges(sender, pathFor('/api/company/{companyId}/changes'), more),
    send: sender.send,
  }
}

/** A file is a Blob, and anything else is JSON. */
function bodyOf(response: Response): Promise<unknown> | undefined {
  if (response.status === 204) return undefined
  return /[/+]json\b/.test(response.headers.get('Content-Type') ?? '') ? response.json() : response.blob()
}

interface AnyInput extends Message {
  readonly params?: object
  readonly ifMatch?: string | undefined
}
