import { once } from 'node:events'
import type { CommandTask, LoadResult } from './commandLoad.ts'
import { prepareTags } from './commands.ts'
import { cpuTimes, spent } from './cpuTimes.ts'
import { rest } from './inspector.ts'
import { runLoad, withService } from './processes.ts'
import { type Figure, median, percentile } from './report.ts'

/**
 * Measures what streams of changes cost a command, of its company or of others, in rounds of three, and how late they
 * are.
 */

const section = 'followers'
const rounds = 5
const seconds = 3
const streams = 20
const samples = 40

export function followers(): Promise<Figure[]> {
  return withService(async (service) => {
    const { urls, bearer } = await prepareTags(service)
    const [own] = urls as [string, ...string[]]
    const run = async (followed: readonly string[]) => {
      const open = await Promise.all(followed.map((url) => follow(url, bearer)))
      const before = cpuTimes(service.pid)
      const load = { urls: [own], token: bearer, inFlight: 1, seconds }
      const result = await runLoad<LoadResult>('commandLoad.ts', load satisfies CommandTask)
      const times = Object.values(spent(before, cpuTimes(service.pid))).reduce((sum, one) => sum + one, 0)
      for (const { close } of open) close()
      // A caller has as many streams as it may have. The service notices that they have ended.
      await rest(500)
      if (result.failed > 0) throw new Error(`${result.failed} commands failed`)
      return { p50Ms: result.p50Ms, cpuMs: times / (result.perSecond * seconds) }
    }
    const cases = {
      none: [] as string[],
      'of other companies': urls.slice(-streams),
      'of its own company': Array<string>(streams).fill(own),
    }
    const results = new Map<string, Awaited<ReturnType<typeof run>>[]>()
    for (let round = 0; round < rounds; round++)
      for (const [name, followed] of Object.entries(cases))
        results.set(name, [...(results.get(name) ?? []), await run(followed)])
    const figures = [...results].flatMap(([name, runs]): Figure[] =>
      (['p50Ms', 'cpuMs'] as const).map((figure) => ({
        section,
        what: `tag update, ${name === 'none' ? 'no stream' : `${streams} streams ${name}`}: ${figure === 'p50Ms' ? 'p50' : 'CPU'}`,
        value: median(runs.map((one) => one[figure])),
        unit: 'ms',
        ...(name !== 'none' && {
          ratio: {
            to: 'no stream',
            value: median(runs.map((one, round) => one[figure] / results.get('none')![round]![figure])),
            ...(name === 'of other companies' && figure === 'p50Ms' && { most: 1.05 }),
          },
        }),
      })),
    )
    const lags = await lagsOf(own, bearer)
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const)
      figures.push({
        section,
        what: `from the command to its stream, ${name}`,
        value: percentile(lags, share),
        unit: 'ms',
      })
    return figures
  })
}

/** Open the stream of the company of a tag, from now on. */
async function follow(tagUrl: string, bearer: string) {
  const leaving = new AbortController()
  const came = new EventTarget()
  const authorization = `Bearer ${bearer}`
  const tags = await fetch(tagUrl.replace(/\/[^/]+$/, ''), { headers: { authorization } })
  const company = tagUrl.replace(/\/millcert-tags.*/, '')
  const response = await fetch(`${company}/changes?after=${tags.headers.get('read-position')}`, {
    headers: { accept: 'text/event-stream', authorization },
    signal: leaving.signal,
  })
  if (!response.ok) throw new Error(await response.text())
  const reading = async () => {
    for await (const bytes of response.body!)
      if (Buffer.from(bytes).includes('tag.updated')) came.dispatchEvent(new Event('change'))
  }
  reading().catch(() => {})
  return { came, close: () => leaving.abort() }
}

async function lagsOf(tagUrl: string, bearer: string): Promise<number[]> {
  const { came, close } = await follow(tagUrl, bearer)
  const lags: number[] = []
  for (let n = 0; n < samples; n++) {
    await new Promise((later) => setTimeout(later, 250))
    const change = once(came, 'change')
    const began = performance.now()
    await fetch(tagUrl, {
      method: 'PUT',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Lag ${n}`, color: '#1f77b4' }),
    })
    await change
    lags.push(performance.now() - began)
  }
  close()
  return lags
}
