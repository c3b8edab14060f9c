import type { z } from 'zod'
import type { Projection } from '../../../projections/engine/projection.ts'
import type { Reading } from '../../../projections/engine/reading/reader.ts'
import type { Exchange } from '../routing/route.ts'
import type { Services } from '../services.ts'
import { parameterOf } from './filterParameters.ts'
import type { Row } from './streamList.ts'

/** Members that the records of a list have only on request, by the parameter `include`. */

export interface Inclusion {
  readonly description: string
  /** The read models that the members come from. */
  readonly reads: readonly Projection[]
  /** Return the members to add to each of these rows. */
  readonly members: (
    reading: Reading,
    params: Exchange['params'],
    rows: readonly never[],
    services: Pick<Services, 'rules'>,
  ) => Promise<readonly object[]>
}

/** By their names in the parameter. */
export type Inclusions = Readonly<Record<string, Inclusion>>

export function includeParameter(inclusions: Inclusions | undefined): Record<string, z.ZodType> {
  if (!inclusions) return {}
  const described = Object.entries(inclusions).map(([name, { description }]) => `\`${name}\`: ${description}`)
  return {
    include: parameterOf({
      parameter: { kind: 'oneOf', values: Object.keys(inclusions) },
      repeatable: true,
      description: `Members to add to each record. ${described.join(' ')}`,
    }),
  }
}

/** Return the inclusions that a checked query asks for. */
export function includedIn(
  inclusions: Inclusions | undefined,
  query: Readonly<Record<string, unknown>>,
): readonly Inclusion[] {
  const names = (query.include ?? []) as readonly string[]
  return names.map((name) => inclusions![name]!)
}

/** Return the rows with the members of these inclusions. */
export async function withMembers(
  included: readonly Inclusion[],
  reading: Reading,
  params: Exchange['params'],
  rows: readonly Row[],
  services: Pick<Services, 'rules'>,
): Promise<readonly Row[]> {
  let complete = rows
  for (const { members } of included) {
    const added = await members(reading, params, complete as readonly never[], services)
    complete = complete.map((row, index) => ({ ...row, ...added[index] }))
  }
  return complete
}
