#!/usr/bin/env node
import { constants } from 'node:os'
import { keepHeapSmall } from '../lib/heap.ts'
import type { Host } from './heatmark/host.ts'
import { exitCodes, runHeatmark } from './heatmark/program.ts'

/** `npx heatmark`: the commands of operators and auditors, which work on the stores. */

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
let interruptedBy: (typeof signals)[number] | undefined

/** The exit code that shells give to a process that a signal has ended. */
function endedBy(signal: (typeof signals)[number]) {
  return 128 + constants.signals[signal]
}

const interruption: Host['interruption'] = () => {
  const interrupted = new AbortController()
  for (const signal of signals)
    process.once(signal, () => {
      interruptedBy = signal
      interrupted.abort(new Error('interrupted'))
    })
  return interrupted.signal
}

keepHeapSmall()
const { env, stdout, stderr } = process
// A reader, such as `head`, may stop before the end.
for (const stream of [stdout, stderr]) stream.on('error', () => {})
const code = await runHeatmark(process.argv.slice(2), { env, stdout, stderr, interruption })
process.exitCode = interruptedBy && code === exitCodes.failed ? endedBy(interruptedBy) : code
// End the process even if the store's client keeps its connection, but write all output first.
stdout.write('', () => process.exit())
