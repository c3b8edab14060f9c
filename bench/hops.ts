import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inspect, rest } from './inspector.ts'
import { withService } from './processes.ts'

/**
 * `npm run bench:hops [-- --files --functions]`: counts the files and the calls of our own functions that one warm PUT of a
 * tag's name runs through, from the request until its rows are there. V8's precise coverage counts each call; whatever the
 * service does by itself meanwhile is counted beside an equally long rest, and taken off. The figure of a function is the
 * median of several PUTs.
 */
const { files: withFiles, functions: withFunctions } = parseArgs({
  options: { files: { type: 'boolean', default: false }, functions: { type: 'boolean', default: false } },
}).values
const source = fileURLToPath(new URL('../src/', import.meta.url))
const warmUps = 200
const rounds = 15
const texts = new Map<string, string>()

/** By file, line and name of the function. */
type Calls = ReadonlyMap<string, number>

await withService(async ({ pid, url, dev, token }) => {
  const authorization = `Bearer ${await token('quality')}`
  const tags = `${url}/api/company/${dev.companyId}/millcert-tags`
  const send = async (method: string, address: string, body: object) => {
    const response = await fetch(address, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const content = { color: '#AA0000', severity: 'Flag', description: null }
  const { tagId } = (await send('POST', tags, { ...content, name: randomUUID() })) as { tagId: string }
  const put = () => send('PUT', `${tags}/${tagId}`, { ...content, name: randomUUID() })
  for (let n = 0; n < warmUps; n++) await put()

  const inspector = await inspect(pid)
  await inspector.call('Profiler.enable')
  await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const measured = async (work: () => Promise<unknown>): Promise<Calls> => {
    await inspector.call('Profiler.takePreciseCoverage')
    const began = performance.now()
    await work()
    // The answer waits for the rows; the notice of them is heard a moment later.
    const took = performance.now() - began
    await rest(20)
    const calls = callsOf(await inspector.call('Profiler.takePreciseCoverage'))
    await inspector.call('Profiler.takePreciseCoverage')
    await rest(took + 20)
    return without(calls, callsOf(await inspector.call('Profiler.takePreciseCoverage')))
  }
  const all: Calls[] = []
  try {
    for (let n = 0; n < rounds; n++) all.push(await measured(put))
  } finally {
    inspector.close()
  }
  const calls = medians(all)
  const byFile = new Map<string, number>()
  for (const [place, count] of calls) {
    const [file] = place.split(' ') as [string]
    byFile.set(file, (byFile.get(file) ?? 0) + count)
  }
  if (withFunctions) print(calls)
  if (withFiles) print(byFile)
  const sum = [...calls.values()].reduce((sum, count) => sum + count, 0)
  console.log(`One warm PUT of a tag's name: ${byFile.size} files, ${sum} calls.`)
})

function print(calls: Calls) {
  for (const [place, count] of [...calls].sort(([, a], [, b]) => b - a)) console.log(`${count}\t${place}`)
}

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly count: number; readonly startOffset: number }[]
    }[]
  }[]
}

function callsOf(taken: unknown): Calls {
  const calls = new Map<string, number>()
  for (const { url, functions } of (taken as Coverage).result) {
    if (!url.startsWith('file:')) continue
    const path = fileURLToPath(url.replace(/\?.*$/, ''))
    if (!path.startsWith(source)) continue
    for (const { functionName, ranges } of functions) {
      const { count, startOffset } = ranges[0]!
      if (count > 0)
        calls.set(`${relative(source, path)} ${lineAt(path, startOffset)} ${functionName}`, count)
    }
  }
  return calls
}

/** Node takes the types out of a file without moving the rest, so the offsets are those of the file. */
function lineAt(path: string, offset: number): number {
  const text = texts.get(path) ?? readFileSync(path, 'utf8')
  texts.set(path, text)
  return text.slice(0, offset).split('\n').length
}

function without(calls: Calls, others: Calls): Calls {
  return new Map([...calls].map(([place, count]) => [place, Math.max(0, count - (others.get(place) ?? 0))]))
}

function medians(all: readonly Calls[]): Calls {
  const places = new Set(all.flatMap((calls) => [...calls.keys()]))
  return new Map(
    [...places].flatMap((place) => {
      const counts = all.map((calls) => calls.get(place) ?? 0).sort((a, b) => a - b)
      const median = counts[counts.length >> 1]!
      return median > 0 ? [[place, median] as const] : []
    }),
  )
}
