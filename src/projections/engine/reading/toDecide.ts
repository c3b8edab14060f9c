import type { Reader } from './reader.ts'

/**
 * Return a reader of rows that a decision of this company relies on. A list may lack an event, but a decision must not be
 * made on something unseen: `read` throws Refusal 503 `facts-incomplete`.
 */
export function toDecide(reader: Pick<Reader, 'read'>, companyId: string): Pick<Reader, 'read'> {
  return {
    read: (projections, look) =>
      reader.read(projections, async (reading) => {
        await reading.requireComplete(companyId)
        return look(reading)
      }),
  }
}
