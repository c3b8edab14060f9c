import { join } from 'node:path'
import { callers } from './callers.ts'
import { commands } from './commands.ts'
import { listOfTags } from './listOfTags.ts'
import { longCatalogues } from './longCatalogues.ts'
import { node } from './node.ts'
import { productionBars } from './production.ts'
import { readiness } from './readiness.ts'
import { type Figure, publish } from './report.ts'
import { rulePacks } from './rulePacks.ts'
import { subscription } from './subscription.ts'

/**
 * `npm run bench [-- SECTION …]`: prints a table and writes `results.json` beside this file. Compare the ratios
 * inside one run: the machine is shared, and its speed drifts.
 */
const sections: Readonly<Record<string, () => Promise<Figure[]>>> = {
  listOfTags,
  callers,
  commands,
  longCatalogues,
  node,
  productionBars,
  readiness,
  rulePacks,
  subscription,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in sections))
if (unknown.length > 0) {
  console.error(`no section ${unknown.join(', ')}: there are ${Object.keys(sections).join(', ')}`)
  process.exit(2)
}

const figures: Figure[] = []
for (const [name, measure] of Object.entries(sections)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.error(`measuring ${name} …`)
  figures.push(...(await measure()))
}
publish(join(import.meta.dirname, 'results.json'), figures)
