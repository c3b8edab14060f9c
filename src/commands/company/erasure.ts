import type { Erasure } from '../../domain/company/company.ts'
import type { Traces } from '../../domain/company/companyEvents.ts'

/** The parts of an erasure that need more than events. */
export interface Erasing {
  /** Whether acts of responsibility are no obstacle. */
  readonly isConfirmed: boolean
  /** Find the traces of the person in the events of the company. @throws PostgresUnavailable */
  readonly findTraces: () => Promise<Traces>
  /** Delete the names once the read models mask the person. @throws Refusal `erasure-pending` */
  readonly forget: (position: number) => Promise<void>
}

/** An erasure as it is answered. */
export interface ErasureRecord extends Erasure {
  readonly userId: string
  /** The places that it cannot reach. */
  readonly notErased: readonly NotErased[]
}

interface NotErased {
  readonly where: (typeof unreachable)[number]['where']
  readonly detail: string
}

const unreachable = [
  {
    where: 'copies',
    detail:
      'Exports that have left the service, and packs and other documents of the company, keep the names in them.',
  },
  {
    where: 'backups',
    detail:
      'Backups from before hold the name until they are deleted. After one is restored, repeat the erasure.',
  },
  {
    where: 'free-text',
    detail: 'Texts that somebody has typed, such as reasons, labels and names of tags, may hold the name.',
  },
] as const

/** Return an erasure with the places that it could not reach. */
export function erasureRecord(userId: string, erasure: Erasure): ErasureRecord {
  return { userId, ...erasure, notErased: unreachable }
}
