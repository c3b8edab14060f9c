import { Readable } from 'node:stream'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import * as verifier from '../../../examples/verify/verifyExport.ts'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { companyOfStream } from '../../../src/domain/kernel/streams.ts'
import { storedEvents } from '../../golden/golden.ts'
import { companyId, id } from '../../support/given.ts'
import { isFullRun } from '../../support/size.ts'
import { allIsWell, outcomeOf } from './attacks.ts'
import {
  filesOf,
  historyOf,
  inFile,
  keySetOf,
  newKey,
  noteOf,
  persons,
  readZip,
  unpacked,
} from './histories.ts'
import { chosen, mutations } from './mutations.ts'
import { resealed, resealings } from './resealing.ts'

/** No changed export passes, and every honest one does. */

/** The quick run tries the same cases each time. */
const runs = (quick: number, many: number) =>
  isFullRun ? { numRuns: many } : { numRuns: quick, seed: 20_261_123 }

const keys = { real: newKey(), own: newKey() }
const trusted = { keys: [keySetOf(keys.real)] }
let events: readonly Recorded[]
let honest: Map<string, Buffer>
let lines: readonly string[]
beforeAll(async () => {
  events = [...historyOf(260), ...goldenEvents()]
  honest = await filesOf(events, keys.real)
  lines = honest.get('events.ndjson')!.toString().slice(0, -1).split('\n')
})

describe('a changed history', () => {
  it('is found however far it is made to fit, and its first wrong line is named', {
    timeout: 1_800_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(chosen, fc.constantFrom(...resealings), async ({ mutation, at }, how) => {
        const changed = mutations[mutation]!(lines, at)
        const first = changed.findIndex((line, index) => line !== lines[index])
        const firstWrong = first < 0 ? changed.length : first
        fc.pre(changed.length !== lines.length || first >= 0)
        // Whoever has the key may add events.
        fc.pre(how !== 'realKey' || firstWrong < lines.length)
        const content = resealed(honest, changed, how, keys)
        // The older checkpoint covers the wrong line and at least one line less than the history.
        const older = { name: 'older', note: noteOf(events.slice(0, firstWrong + 1), keys.real) }
        const outcome = await outcomeOf(verifier, { content, trusted: { ...trusted, checkpoints: [older] } })
        expect(outcome).toMatch(
          {
            lines: new RegExp(`^events\\.ndjson(, line ${firstWrong + 1}: | ends after line ${firstWrong},)`),
            tree: /^checkpoint, line 5: the signature is not that of the key/,
            ownKey: /^keys\.json has none of the trusted keys/,
            realKey: /^older (was signed for other events|covers)|^events\.ndjson, line \d+: /,
          }[how],
        )
      }),
      // One case takes 5 ms.
      runs(100, 5_000),
    )
  })

  it('is found in whichever field of whichever type of event', async () => {
    for (const [index, line] of lines.entries()) {
      if (index < 260) continue
      for (const where of isFullRun
        ? [0.01, 0.2, 0.4, 0.6, 0.75, 0.9, 0.99]
        : [[0.2, 0.75, 0.9][index % 3]!]) {
        const at = [(index + 0.5) / lines.length, where, 0.3] as const
        const changed = mutations.field!(lines, at)
        expect(changed[index]).not.toBe(line)
        const outcome = await outcomeOf(verifier, {
          content: resealed(honest, changed, 'lines', keys),
          trusted,
        })
        expect(outcome).toMatch(`events.ndjson, line ${index + 1}: `)
      }
    }
  })
})

describe('a changed byte', () => {
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const how = fc.oneof(
    fc.record({ kind: fc.constant('bit' as const), value: fc.integer({ min: 0, max: 7 }) }),
    fc.record({ kind: fc.constant('byte' as const), value: fc.integer({ min: 1, max: 255 }) }),
    fc.record({ kind: fc.constantFrom('drop', 'insert'), value: fc.integer({ min: 0, max: 255 }) }),
    fc.record({ kind: fc.constant('cut' as const), value: fc.constant(0) }),
  )
  const bytesWith = (bytes: Buffer, at: number, { kind, value }: { kind: string; value: number }): Buffer => {
    const index = Math.floor(at * bytes.length)
    if (kind === 'cut') return bytes.subarray(0, index)
    if (kind === 'drop') return Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1)])
    if (kind === 'insert')
      return Buffer.concat([bytes.subarray(0, index), Buffer.of(value), bytes.subarray(index)])
    const copy = Buffer.from(bytes)
    copy[index] = copy[index]! ^ (kind === 'bit' ? 1 << value : value)
    return copy
  }

  it('is found in every file that is checked', { timeout: 1_800_000 }, async () => {
    const paths = [...honest.keys()].filter((path) => path !== 'README.txt')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), place, how, async (path, at, change) => {
        const bytes = bytesWith(honest.get(path)!, at, change)
        fc.pre(!bytes.equals(honest.get(path)!))
        // An erasure takes away whole names, too.
        fc.pre(
          path !== 'persons.ndjson' || change.kind !== 'cut' || (bytes.length > 0 && bytes.at(-1) !== 10),
        )
        expect(await outcomeOf(verifier, { content: new Map(honest).set(path, bytes) })).not.toBe(allIsWell)
      }),
      runs(30, 5_000),
    )
  })

  it('of a ZIP file is found, or changes nothing of what is checked', { timeout: 1_800_000 }, async () => {
    const zip = await readZip(events, keys.real)
    await fc.assert(
      fc.asyncProperty(place, how, async (at, change) => {
        const changed = bytesWith(zip, at, change)
        if ((await outcomeOf(verifier, { content: changed })) !== allIsWell) return
        const files = await inFile(Readable.from([changed]), unpacked)
        files.delete('README.txt')
        for (const [path, bytes] of files) expect(bytes).toEqual(honest.get(path))
      }),
      runs(15, 1_000),
    )
  })
})

describe('an honest export', () => {
  const life = fc.record({
    length: fc.oneof(fc.nat(20), fc.constantFrom(255, 256, 257, 512), fc.integer({ min: 21, max: 700 })),
    /** The sizes at which checkpoints were kept, and whether the key was replaced after each. */
    kept: fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), isReplaced: fc.boolean() }), {
      maxLength: 4,
    }),
    erased: fc.subarray([0, 1]),
    isCopied: fc.boolean(),
    others: fc.array(fc.record({ data: fc.jsonValue(), type: fc.string({ unit: 'grapheme' }) }), {
      maxLength: 5,
    }),
  })

  it('passes, after erasures, replaced keys and a copy of the store', { timeout: 1_800_000 }, async () => {
    const spare = Array.from({ length: 5 }, newKey)
    await fc.assert(
      fc.asyncProperty(life, async ({ length, kept, erased, isCopied, others }) => {
        const recorded = withOthers(historyOf(length), others)
        const used = [spare[0]!]
        const checkpoints = kept
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, isReplaced }, index) => {
            const note = noteOf(recorded.slice(0, Math.floor(at * recorded.length)), used[0]!)
            if (isReplaced) used.unshift(spare[index + 1]!)
            return { name: `checkpoint ${index}`, note }
          })
        const stored = isCopied ? recorded.map(inOtherStore) : recorded
        const [newest, ...olderKeys] = used
        const names = persons.filter((_, index) => !erased.includes(index))
        const content = await filesOf(stored, newest!, { olderKeys, names })
        const known = { keys: used.map(keySetOf), checkpoints }
        expect(await outcomeOf(verifier, { content, trusted: known })).toBe(allIsWell)
      }),
      runs(30, 1_000),
    )
  })
})

/** Every type and version of event that a company has ever recorded, behind the history of `historyOf(260)`. */
function goldenEvents(): Recorded[] {
  const revisions = new Map<string, number>()
  for (const { streamName, revision } of historyOf(260)) revisions.set(streamName, revision)
  return storedEvents()
    .map(({ event }) => event)
    .filter(({ streamName }) => companyOfStream(streamName) === companyId)
    .map((event) => {
      const revision = (revisions.get(event.streamName) ?? -1) + 1
      revisions.set(event.streamName, revision)
      return { ...event, revision }
    })
}

/** Add events that other programs wrote: of any type, without metadata, one of them not JSON. */
function withOthers(
  history: Recorded[],
  others: readonly { readonly data: unknown; readonly type: string }[],
) {
  const odd = others.map((other, revision) => ({
    ...other,
    id: id(90_000 + revision),
    streamName: `scans-${companyId}`,
    revision,
    metadata: null,
    ...(revision === 3 && { isJson: false, data: { base64: 'AP8=' } }),
  }))
  return [...history, ...odd] as unknown as Recorded[]
}

/** Another store has other positions, and metadata of its own. */
function inOtherStore(event: Recorded): Recorded {
  const metadata = event.metadata && { ...event.metadata, $by: 'copy' }
  return { ...event, position: 3 * event.position, metadata }
}
