import { access } from '../../../projections/company/access.ts'
import { countEmailIds } from '../../../projections/company/memberQueries.ts'
import { createLookUp } from '../../../projections/engine/reading/lookUp.ts'
import type { ReadModels } from '../../../projections/engine/schema/readModels.ts'
import { type Postgres, PostgresUnavailable } from '../../../stores/postgres/postgres.ts'
import { type Finding, ok, unknown, warning } from './finding.ts'

/** Check that the claim with the user id does not yield e-mail addresses. */

const check = 'ids of persons'

export async function checkUserIds(
  postgres: Pick<Postgres, 'query'>,
  readModels: ReadModels,
): Promise<Finding> {
  try {
    const [row] = await createLookUp(postgres, readModels, access)<{ count: number }>(countEmailIds)
    const { count } = row!
    if (count === 0) return ok(check, 'none is an e-mail address')
    return warning(
      check,
      `${count === 1 ? '1 id is an e-mail address' : `${count} ids are e-mail addresses`}: events name their authors by id for ever, and no erasure can reach an id`,
      'let OIDC_USER_CLAIM name a claim whose values tell nobody who it is, such as oid or sub, and admit the members again under their new ids; recorded events keep the old ids (docs/personal-data.md)',
    )
  } catch (error) {
    if (error instanceof PostgresUnavailable) return unknown(check, error.message)
    throw error
  }
}
