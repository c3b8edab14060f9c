import { parseArgs } from 'node:util'

/** `node bench/nodes.ts 500`: prints how many HTTP nodes that many commands a second need (docs/scaling.md). */

/** These figures are from 2 cores with other work. docs/scaling.md says how to measure them on another machine. */
export const measured = {
  /** CPU time of an HTTP process for a command (`npm run -s bench -- roles`). */
  httpMs: 2.8,
  /** Events that the live projector folds in a second (`npm run -s bench:replay -- rebuilding`), on the quiet machine. */
  projectorEvents: 4_100,
}
/** A process whose thread is busier than this answers late. */
const busy = 0.6

export interface Nodes {
  /** Processes of one core each. One of them may be lost. */
  readonly http: number
  /** The part of its time that the one projector needs. Above 0.6 it falls behind in busy minutes. */
  readonly projectorLoad: number
}

/** A command records one event. */
export function nodesFor(commandsPerSecond: number, { httpMs, projectorEvents } = measured): Nodes {
  return {
    http: Math.ceil((commandsPerSecond * httpMs) / 1_000 / busy) + 1,
    projectorLoad: commandsPerSecond / projectorEvents,
  }
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true })
  const wanted = Number(positionals[0])
  if (!(wanted > 0)) {
    console.error('usage: node bench/nodes.ts COMMANDS_A_SECOND')
    process.exit(2)
  }
  const { http, projectorLoad } = nodesFor(wanted)
  console.log(`${http} HTTP nodes; the projector works ${Math.round(projectorLoad * 100)} % of the time`)
}
