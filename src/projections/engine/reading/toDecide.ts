import { Refusal } from '../../../domain/kernel/refusal.ts'
import type { Reader, Reading } from './reader.ts'

/**
 * Return a reader of rows that a decision of this company relies on. A list may lack an event, but a decision must not be
 * made on something unseen: `read` throws Refusal 503 `facts-incomplete`.
 */
export function toDecide(reader: Pick<Reader, 'read'>, companyId: string): Pick<Reader, 'read'> {
  return {
    read: (projections, look) =>
      reader.read(projections, async (reading) => {
        await requireComplete(reading, companyId)
        return look(reading)
      }),
  }
}

/** Refuse what would rely on rows that lack an event of the company. @throws Refusal 503 `facts-incomplete` */
export async function requireComplete(reading: Pick<Reading, 'lack'>, companyId: string): Promise<void> {
  const lack = await reading.lack(companyId)
  if (lack === undefined) return
  throw new Refusal(
    'facts-incomplete',
    `${lack}, so a Block may be missing and nothing was recorded. Tell the operator, who finds the event and the remedy with "heatmark doctor".`,
  )
}

/** Return the member that hides the findings of a record while the rows lack an event of the company. */
export async function hiddenFindings(
  reading: Pick<Reading, 'lack'>,
  companyId: string,
): Promise<{ readonly findings?: null }> {
  return (await reading.lack(companyId)) === undefined ? {} : { findings: null }
}
