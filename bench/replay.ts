import { runBenchmark } from './benchmark.ts'
import { lag } from './replay/lag.ts'
import { rebuilding } from './replay/rebuilding.ts'

/**
 * `npm run bench:replay [-- [--events 2000000] [--json] [--against PATH [--pairs 4]] [SECTION …]]`: rebuilds read models
 * over a history of that many events, and measures their lag under commands. It prints a table and writes
 * `replayResults.json` beside this file. `--against` compares two checkouts in pairs.
 */
await runBenchmark({
  script: 'replay.ts',
  results: 'replayResults.json',
  options: { events: '500000' },
  sections: { rebuilding: ({ events }) => rebuilding(Number(events)), lag },
})
