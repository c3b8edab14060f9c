import { runBenchmark } from './benchmark.ts'
import { costs } from './costs.ts'
import { listOfTags } from './listOfTags.ts'
import { recalls } from './recalls.ts'
import type { Figure } from './report.ts'
import { roles } from './roles.ts'
import { rulePacks } from './rulePacks.ts'
import { subscription } from './subscription.ts'

/**
 * `npm run bench [-- [--json] [--against PATH [--pairs 4]] [SECTION …]]`: prints a table and writes `results.json`
 * beside this file. Compare the ratios inside one run: the machine is shared, and its speed drifts. To compare two
 * checkouts, run them in pairs with `--against`.
 */
const sections: Readonly<Record<string, () => Promise<Figure[]>>> = {
  listOfTags,
  costs,
  recalls,
  roles,
  rulePacks,
  subscription,
}

await runBenchmark({ script: 'run.ts', results: 'results.json', sections })
