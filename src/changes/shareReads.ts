import type { Positions } from '../projections/engine/reading/waitFor.ts'
import { type ChangePage, type ChangeSources, changeReads, readChanges, type Wanted } from './readChanges.ts'

export type ReadChanges = (wanted: Wanted) => Promise<ChangePage>

interface Sources extends ChangeSources {
  readonly positions: Pick<Positions, 'waitFor' | 'positionOf'>
}

/** Let readers who want the same at the same time share one read. Those who wait at one place of a company wake together. */
export function shareReads(sources: Sources, read = readChanges): ReadChanges {
  const underWay = new Map<string, Promise<ChangePage>>()
  return ({ companyId, after, limit, types }) => {
    // A read shows what this node had heard when it began. A reader who has heard more begins another one.
    const heard = sources.positions.positionOf(changeReads)
    const key = JSON.stringify([companyId, after, limit, types, heard])
    const shared = underWay.get(key)
    if (shared) return shared
    const page = read(sources, { companyId, after, limit, types })
    underWay.set(key, page)
    const forget = () => underWay.delete(key)
    page.then(forget, forget)
    return page
  }
}
