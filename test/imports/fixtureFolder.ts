import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Files of others, which this repository may use where it finds them, and may not hold. */
export const fixtureFolder =
  process.env.HEATMARK_FIXTURES ?? resolve(import.meta.dirname, '../../../shared/fixtures')
export const fixturesAreThere = existsSync(fixtureFolder)
if (!fixturesAreThere)
  console.warn(`SKIPPED: there are no certificates of others in ${fixtureFolder} (HEATMARK_FIXTURES)`)
