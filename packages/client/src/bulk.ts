import { HeatmarkError, temporary } from './errors.ts'
import { Lines, type Sender } from './sending.ts'

/** Sends records in bulk requests, and sends again what was not answered or what was refused for now. */

export interface BulkOptions {
  readonly query?: { readonly mode?: 'upsert'; readonly dryRun?: boolean }
  /** The records of one request; 1,000 by default, and 10,000 at most. */
  readonly linesPerRequest?: number
  readonly signal?: AbortSignal
}

export interface BulkResult<One> {
  /** The place among the records, from 0. */
  readonly index: number
  readonly record: One
  /** The status of the same request sent alone. */
  readonly status: number
  readonly id?: string
  readonly outcome?: 'created' | 'updated' | 'unchanged'
  /** The code of the problem of a record that was refused, with its other members. */
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[]
}

/** How often a record is sent without an answer to any record in between. */
const mostAttempts = 6
/** A request holds at most 64 MiB. */
const mostBytes = 8_388_608

type Numbered<One> = { readonly index: number; readonly record: One }

/** A record is done once, however often it is sent: a repeat of the same content answers the same record. */
export async function* sendInBulk<One>(
  sender: Sender,
  path: string,
  records: Iterable<One> | AsyncIterable<One>,
  { query, linesPerRequest = 1_000, signal }: BulkOptions = {},
): AsyncGenerator<BulkResult<One>> {
  for await (const portion of portionsOf(records, linesPerRequest)) {
    let open = portion
    for (let attempt = 1; open.length > 0; attempt += 1) {
      const again: Numbered<One>[] = []
      let answered = 0
      try {
        for await (const answer of answersTo(sender, path, open, query, signal)) {
          const sent = open[answered]!
          answered += 1
          if (temporary.has(answer.status) && attempt < mostAttempts) again.push(sent)
          else yield { ...answer, ...sent }
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof HeatmarkError && !error.isTemporary) throw error
        if (answered === 0 && attempt >= mostAttempts) throw error
      }
      if (again.length < answered) attempt = 1
      open = [...again, ...open.slice(answered)]
      if (open.length > 0) await sender.pause(attempt + 1, signal)
    }
  }
}

type LineAnswer = Omit<BulkResult<never>, 'index' | 'record'>

/** Yield the answers to these records, in their order. They may end early, with an error or without one. */
async function* answersTo(
  sender: Sender,
  path: string,
  open: readonly Numbered<unknown>[],
  query: BulkOptions['query'],
  signal: AbortSignal | undefined,
): AsyncGenerator<LineAnswer> {
  const response = await sender.send('POST', path, {
    query: { ...query, summary: true },
    body: new Lines(open.map(({ record }) => record)),
    idempotencyKey: false,
    signal,
  })
  for await (const text of linesOf(response)) {
    const { line: _, summary, ...answer } = JSON.parse(text)
    if (summary) sender.note(summary.commitPosition)
    else yield answer
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      yield* lines.filter((line) => line !== '')
    }
  } finally {
    // A caller that has stopped wants no more of the answer. A broken answer cannot be cancelled.
    await reader.cancel().catch(() => {})
  }
}

async function* portionsOf<One>(
  records: Iterable<One> | AsyncIterable<One>,
  lines: number,
): AsyncGenerator<readonly Numbered<One>[]> {
  let portion: Numbered<One>[] = []
  let bytes = 0
  let index = 0
  for await (const record of records) {
    portion.push({ index, record })
    index += 1
    bytes += 3 * JSON.stringify(record).length
    if (portion.length < lines && bytes < mostBytes) continue
    yield portion
    portion = []
    bytes = 0
  }
  if (portion.length > 0) yield portion
}
