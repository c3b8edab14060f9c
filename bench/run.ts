import { approvalReview } from './approvalReview.ts'
import { asOfLists } from './asOf.ts'
import { runBenchmark } from './benchmark.ts'
import { callers } from './callers.ts'
import { candidates } from './candidates.ts'
import { commands } from './commands.ts'
import { compression } from './compression.ts'
import { costs } from './costs.ts'
import { documents } from './documents.ts'
import { fairness } from './fairness.ts'
import { filters } from './filters.ts'
import { bodyFloods } from './floods.ts'
import { listOfTags } from './listOfTags.ts'
import { longCatalogues } from './longCatalogues.ts'
import { namedLists } from './namedLists.ts'
import { node } from './node.ts'
import { ownRules } from './ownRules.ts'
import { portal } from './portal.ts'
import { productionBars } from './production.ts'
import { proofs } from './proofs.ts'
import { readiness } from './readiness.ts'
import { recalls } from './recalls.ts'
import type { Figure } from './report.ts'
import { rulePacks } from './rulePacks.ts'
import { subscription } from './subscription.ts'
import { traceability } from './traceability.ts'

/**
 * `npm run bench [-- [--json] [--against PATH [--pairs 4]] [SECTION …]]`: prints a table and writes `results.json`
 * beside this file. Compare the ratios inside one run: the machine is shared, and its speed drifts. To compare two
 * checkouts, run them in pairs with `--against`.
 */
const sections: Readonly<Record<string, () => Promise<Figure[]>>> = {
  listOfTags,
  approvalReview,
  asOfLists,
  bodyFloods,
  callers,
  candidates,
  commands,
  compression,
  costs,
  documents,
  fairness,
  filters,
  longCatalogues,
  namedLists,
  node,
  ownRules,
  portal,
  productionBars,
  proofs,
  readiness,
  recalls,
  rulePacks,
  subscription,
  traceability,
}

await runBenchmark({ script: 'run.ts', results: 'results.json', sections })
