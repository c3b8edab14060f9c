import type { Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Change } from '../../../domain/kernel/changes.ts'
import { contentInTurns, type Decision, isField, placesIn } from '../../../imports/content.ts'
import type { At, ReadFault, ReadRow, Undecided } from '../../../imports/readRow.ts'
import { mostRows } from '../../../imports/tables/table.ts'
import { unreadable } from '../../../imports/unreadable.ts'
import { inOrder } from '../../../lib/inOrder.ts'
import { inTurns } from '../../../lib/inTurns.ts'
import type { LineAnswer, RunOutcome } from '../../kit/routing/bulkRun.ts'
import type { ImportRun } from './importRuns.ts'

/** The proposal of an import: what confirming it would record, row by row. */

export const actions = ['create', 'update', 'unchanged', 'refused'] as const

interface RowFault {
  /** undefined: the fault is not that of one field. */
  readonly field?: string
  readonly at: At
  readonly code: string
  readonly message: string
}

interface ProposedRow extends Omit<ReadRow, 'at' | 'faults' | 'notTaken'> {
  readonly action: (typeof actions)[number]
  /** The record; absent while a number is undecided. */
  readonly id?: string
  readonly faults: readonly RowFault[]
  /** An update changes these values of the record. */
  readonly changes: readonly Change[]
}

/** Rows in progress at once. */
const underWay = 32
/** The most bytes of a proposal. 10,000 certificates of 40 values take half of them. */
const longestProposal = 67_108_864
/** The rows are handed on in portions of about this many characters. */
const portionLength = 65_536

/**
 * Yield the rows of the proposal as JSON, with commas between them.
 * @param hash takes everything that the proposal says, and the revisions of the records that it would change
 * @throws Failure `unreadable`
 */
export async function* propose(
  rows: AsyncIterable<ReadRow>,
  run: ImportRun,
  hash: Hash,
): AsyncIterable<Buffer> {
  let bytes = 0
  let portion = ''
  for await (const { row, revision } of proposeRows(rows, run)) {
    const text = JSON.stringify(row)
    hash.update(`${text}\n${row.action === 'update' ? revision : ''}\n`)
    portion += bytes === 0 && portion === '' ? text : `,${text}`
    if (portion.length < portionLength) continue
    const written = Buffer.from(portion)
    bytes += written.length
    if (bytes > longestProposal)
      throw unreadable(
        'too-large',
        `The proposal would have more than ${longestProposal} bytes. Split the file.`,
      )
    yield written
    portion = ''
  }
  if (bytes === 0 && portion === '')
    throw unreadable('no-rows', 'The file has headings and no rows. Send a file with rows.')
  yield Buffer.from(portion)
}

async function* proposeRows(rows: AsyncIterable<ReadRow>, run: ImportRun) {
  for await (const { read, outcome } of carryOutEach(rows, (read) => carryOut(read, [], run)))
    yield { row: await proposedRow(read, outcome), revision: outcome.revision }
}

/** A row that was carried out. */
export interface Done {
  readonly read: ReadRow
  readonly outcome: RunOutcome
}

/** Carry out each row, several at a time, and yield the outcomes in their order. @throws Failure `unreadable` */
export function carryOutEach(
  rows: AsyncIterable<ReadRow>,
  work: (read: ReadRow) => Promise<RunOutcome>,
): AsyncIterable<Done> {
  return inOrder(countRows(rows), underWay, async (read) => ({ read, outcome: await work(read) }))
}

async function* countRows(rows: AsyncIterable<ReadRow>): AsyncIterable<ReadRow> {
  let count = 0
  for await (const read of rows) {
    count += 1
    if (count > mostRows)
      throw unreadable('too-large', `The file has more than ${mostRows} records. Split it.`)
    // Reading takes no wait of its own, and other requests must have their turn.
    await nextTurn()
    yield read
  }
}

/** Carry out a row with the decisions about it. Faults of the file that no decision takes away refuse it. */
export async function carryOut(
  read: ReadRow,
  decisions: readonly Decision[],
  run: ImportRun,
): Promise<RunOutcome> {
  const decided = new Set(decisions.map(({ field }) => field))
  const faults = read.faults.filter(({ field }) => field === undefined || !decided.has(field))
  if (faults.length === 0) return run.carryOut(read.row, await contentInTurns(read, decisions))
  // A dry run tells the faults that the record itself has, too.
  const tried = run.isDry
    ? (await run.carryOut(read.row, await contentInTurns(read, decisions))).answer.errors
    : []
  return { answer: refuseLine(read.row, faults, tried), revision: undefined }
}

function refuseLine(
  line: number,
  faults: readonly ReadFault[],
  tried: LineAnswer['errors'] = [],
): LineAnswer {
  const detail = 'The row has faults, so it was not carried out.'
  const own = faults.map(({ field = '', code, message }) => ({
    path: `/${field.replaceAll('.', '/')}`,
    code,
    message,
  }))
  const paths = new Set(own.map(({ path }) => path))
  const errors = [...own, ...tried.filter(({ path }) => !paths.has(path))]
  return { line, status: 400, code: 'validation-failed', detail, errors }
}

async function proposedRow(read: ReadRow, { answer, changes = [] }: RunOutcome): Promise<ProposedRow> {
  const { row, values, undecided, pages, notFound, onPages } = read
  const faults = await inTurns(faultsOf(read, answer))
  const missing = missingIn(read, faults)
  const needed = new Set(
    answer.errors?.flatMap(({ code, path }) =>
      code === 'required' ? [path.slice(1).replaceAll('/', '.')] : [],
    ),
  )
  const action = faults.length > 0 ? 'refused' : actionOf(answer)
  return {
    row,
    action,
    ...(answer.id && { id: answer.id }),
    values,
    undecided: [...undecided, ...missing].map((one) =>
      needed.has(one.field) ? { ...one, required: true } : one,
    ),
    faults,
    changes,
    ...(pages && { pages }),
    ...(notFound && { notFound }),
    ...(onPages && { onPages }),
  }
}

/** Return the fields that have a fault and no value, so that a person can give them one. */
function missingIn({ values, undecided }: ReadRow, faults: readonly RowFault[]): readonly Undecided[] {
  const fields = new Set([...values, ...undecided].map(({ field }) => field))
  return faults.flatMap(({ field, at }) => {
    if (field === undefined || fields.has(field) || !isField(field)) return []
    fields.add(field)
    return [{ field, candidates: [], at }]
  })
}

function actionOf({ outcome }: LineAnswer): ProposedRow['action'] {
  if (outcome === 'updated') return 'update'
  return outcome === 'unchanged' ? 'unchanged' : 'create'
}

/** Return the faults of a row. A missing value that the row leaves open is no fault: a person will decide it. */
export function* faultsOf(
  read: ReadRow,
  { status, code, detail, errors }: LineAnswer,
): Generator<void, readonly RowFault[]> {
  if (status < 400) return []
  if (!errors?.length) return [{ at: read.at, code: code ?? 'internal-error', message: detail ?? '' }]
  const open = new Set(read.undecided.map(({ field }) => field))
  const placeOf = yield* placesIn(read)
  const own = new Map(read.faults.toReversed().map(({ field, at }) => [field, at]))
  const alreadyListed = new Set<string>()
  return errors.flatMap(({ path, code, message }) => {
    const { field, at: placed } = placeOf(path)
    const at = own.get(field) ?? placed
    // A cell that stands for several equal cuts has its fault once.
    const fault = JSON.stringify([at, code, message])
    if ((code === 'required' && open.has(field)) || alreadyListed.has(fault)) return []
    alreadyListed.add(fault)
    return [{ ...(field !== '' && { field }), at, code, message: `${field}: ${message}` }]
  })
}
