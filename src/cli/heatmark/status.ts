import {
  type ProjectionReport,
  type ProjectionStatus,
  readProjectionStatuses,
  reportOn,
} from '../../projections/engine/operations/report.ts'
import type { Output } from './output.ts'
import { skipText } from './projections.ts'
import { findReadModels, type Stores } from './stores.ts'

/** Show the position of each projection; return false when one has stopped or is behind. */
export async function showStatus(stores: Stores, output: Output): Promise<boolean> {
  const all = await readProjectionStatuses({ ...stores, readModels: await findReadModels(stores) })
  const lines = all.map((one) => ({ ...columnsOf(one), lastError: errorText(one) }))
  show(output, all, lines)
  for (const { name, lastError } of all)
    if (lastError?.stack) output.remark(`\n${name} at ${lastError.event.position}:\n${lastError.stack}`)
  return all.every(({ status, lag }) => status === 'running' && lag === 0)
}

/** Show the position and the number of rows of each projection; return false when one has a problem. */
export async function listProjections(stores: Stores, output: Output): Promise<boolean> {
  const all = await reportOn({ ...stores, readModels: await findReadModels(stores) })
  const lines = all.map((one) => ({ ...columnsOf(one), rows: rowsText(one), lastError: errorText(one) }))
  show(output, all, lines)
  return all.every(({ condition }) => condition === null)
}

function columnsOf({ name, version, status, position, head, lag, generation }: ProjectionStatus) {
  return { name, version, status, position, head, lag, generation }
}

function errorText({ lastError }: ProjectionStatus) {
  return lastError && `${lastError.code} at ${lastError.event.position}`
}

/** Large tables are not counted: `~` marks an estimate. */
function rowsText({ rows, rowsAreEstimated }: ProjectionReport) {
  return rows === null ? 'missing' : `${rowsAreEstimated ? '~' : ''}${rows}`
}

/** Print a line for each projection; for people, also each problem once, with the projections that have it. */
function show(output: Output, all: readonly ProjectionStatus[], lines: readonly object[]): void {
  output.table(output.json ? all : lines)
  const conditions = new Map<string, string[]>()
  for (const { name, condition } of all) {
    if (!condition) continue
    const text = `${condition.what}\n→ ${condition.todo}`
    conditions.set(text, [...(conditions.get(text) ?? []), name])
  }
  for (const [text, names] of conditions) output.remark(`\n${names.join(', ')}: ${text}`)
  for (const { skipped } of all) for (const skip of skipped) output.remark(`\n${skipText(skip)}`)
}
