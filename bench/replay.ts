import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lag } from './replay/lag.ts'
import { rebuilding } from './replay/rebuilding.ts'
import { publish } from './report.ts'

/**
 * `npm run bench:replay [-- --events 2000000]`: rebuilds read models over a history of that many events, and measures
 * their lag under commands. It prints a table and writes `replayResults.json` beside this file.
 */
const { values } = parseArgs({ options: { events: { type: 'string', default: '500000' } } })

const figures = await rebuilding(Number(values.events))
console.error('measuring the lag …')
publish(join(import.meta.dirname, 'replayResults.json'), [...figures, ...(await lag())])
