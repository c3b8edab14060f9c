import { randomUUID } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inspect, rest } from './inspector.ts'
import { withService } from './processes.ts'

/**
 * `npm run bench:hops [-- --files]`: counts the files and the calls of our own functions that one warm PUT of a tag's
 * name runs through, from the request until its rows are there. V8's precise coverage counts each call; whatever the
 * service does by itself meanwhile is counted beside an equally long rest, and taken off.
 */
const { files: withFiles } = parseArgs({ options: { files: { type: 'boolean', default: false } } }).values
const source = fileURLToPath(new URL('../src/', import.meta.url))
const warmUps = 200

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
  await measured(put)
  const calls = await measured(put)
  inspector.close()
  if (withFiles)
    for (const [file, count] of [...calls].sort(([, a], [, b]) => b - a)) console.log(`${count}\t${file}`)
  const all = [...calls.values()].reduce((sum, count) => sum + count, 0)
  console.log(`One warm PUT of a tag's name: ${calls.size} files, ${all} calls.`)
})

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { count: number }[]
    }[]
  }[]
}

function callsOf(taken: unknown): Calls {
  const { result } = taken as Coverage
  return new Map(
    result.flatMap(({ url, functions }) => {
      if (!url.startsWith('file:')) return []
      const path = fileURLToPath(url.replace(/\?.*$/, ''))
      if (!path.startsWith(source)) return []
      const count = functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
      return count > 0 ? [[relative(source, path), count] as const] : []
    }),
  )
}

function without(calls: Calls, others: Calls): Calls {
  return new Map(
    [...calls].flatMap(([file, count]) => {
      const left = count - (others.get(file) ?? 0)
      return left > 0 ? [[file, left] as const] : []
    }),
  )
}
