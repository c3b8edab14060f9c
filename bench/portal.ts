import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hasChromium, launchChromium, sessionCookie } from '../test/support/chromium.ts'
import { type MeasuredService, runLoad, startService } from './processes.ts'
import { type Figure, median, percentile } from './report.ts'
import type { TabLoad, TabLoadResult } from './tabLoad.ts'

/**
 * Measures the portal in headless Chromium on the data of the demo: how soon the first screen can be used, the CPU time
 * that open tabs cost the service, and how smoothly a long list scrolls.
 */

const section = 'portal'
const rounds = 7
const tabs = 50
const tabSeconds = 30
const warmUpSeconds = 6
const rows = 3_000
const viewport = { width: 1440, height: 900 }

export async function portal(): Promise<Figure[]> {
  if (!hasChromium) throw new Error('there is no Chromium: install it with "apt-get install chromium"')
  const service = await startService()
  const browser = await launchChromium()
  try {
    const env = { ...process.env, HEATMARK_DATA_DIR: service.dataDir }
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../src/cli/demo.ts')], { env })
    const setting = { service, browser, cookie: await sessionCookie(service.url, service.dev.people!.admin!) }
    return [...(await firstScreen(setting)), ...(await openTabs(setting)), ...(await scrolling(setting))]
  } finally {
    await browser.close()
    await service.stop()
  }
}

interface Setting {
  readonly service: MeasuredService
  readonly browser: Browser
  readonly cookie: Awaited<ReturnType<typeof sessionCookie>>
}

/** Without a session, the same files show the page that offers the login: the shell without data. */
async function firstScreen({ service, browser, cookie }: Setting): Promise<Figure[]> {
  const address = `${service.url}/portal/c/${service.dev.companyId}`
  const timeOf = async (cookies: readonly Setting['cookie'][]) => {
    const context = await browser.newContext({ viewport })
    await context.addCookies(cookies)
    await context.addInitScript(noteWhenShown)
    const page = await context.newPage()
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    const ms = await page.evaluate<number>('shownAt')
    await context.close()
    return ms
  }
  const screens: number[] = []
  const shells: number[] = []
  for (let round = 0; round < rounds; round++) {
    shells.push(await timeOf([]))
    screens.push(await timeOf([cookie]))
  }
  const ratio = median(screens.map((ms, round) => ms / shells[round]!))
  return [
    { section, what: 'shell without data, first visit', value: median(shells), unit: 'ms' },
    {
      section,
      what: 'first screen with its data, first visit',
      value: median(screens),
      unit: 'ms',
      ratio: { to: 'the shell', value: ratio },
    },
    {
      section,
      what: 'first screen against 1,500 ms',
      value: median(screens),
      unit: 'ms',
      ratio: { to: '1,500 ms', value: median(screens) / 1_500, most: 1 },
    },
  ]
}

/** A screen can be used when it shows its heading and no part of it is loading. */
const noteWhenShown = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector('h1') || document.querySelector('.loading')) return
    globalThis.shownAt = performance.now()
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`

async function openTabs(setting: Setting): Promise<Figure[]> {
  const { service, cookie } = setting
  const screens = ['', '/certificates', '/bars']
  const asked = await Promise.all(screens.map((screen) => pollsOf(setting, screen)))
  const idle = await shareOfCore(service, () => pause(tabSeconds * 1_000))
  const figures: Figure[] = [{ section, what: 'the service without a tab', value: idle, unit: '% of a core' }]
  for (const [index, polls] of asked.entries()) {
    const load: TabLoad = {
      url: service.url,
      cookie: `${cookie.name}=${cookie.value}`,
      polls,
      tabs,
      seconds: tabSeconds,
    }
    // The first requests of a kind take longer, because their code is compiled meanwhile.
    await runLoad<TabLoadResult>('tabLoad.ts', { ...load, seconds: warmUpSeconds })
    let result: TabLoadResult | undefined
    const withTabs = await shareOfCore(service, async () => {
      result = await runLoad<TabLoadResult>('tabLoad.ts', load)
    })
    const { answered, notModified } = result!
    const share = withTabs - idle
    const perSecond = Math.round(answered / tabSeconds)
    const same = Math.round((notModified / answered) * 100)
    figures.push({
      section,
      value: share,
      unit: '% of a core',
      what: `${tabs} open tabs on ${screens[index] || 'the overview'}, ${perSecond} requests/s, ${same} % of them 304`,
      ratio: { to: '5 % of a core', value: share / 5, most: 1 },
    })
  }
  return figures
}

/** Return the CPU time that the service takes meanwhile, in percent of one core. */
async function shareOfCore(service: MeasuredService, work: () => Promise<unknown>): Promise<number> {
  const [before, beganAt] = [cpuSeconds(service.pid), performance.now()]
  await work()
  return ((cpuSeconds(service.pid) - before) / ((performance.now() - beganAt) / 1_000)) * 100
}

const watchedSeconds = 30

/** Return the requests that an idle page repeats, each with its interval. */
async function pollsOf({ service, browser, cookie }: Setting, screen: string): Promise<TabLoad['polls']> {
  const context = await browser.newContext({ viewport })
  await context.addCookies([cookie])
  const page = await context.newPage()
  await page.goto(`${service.url}/portal/c/${service.dev.companyId}${screen}`)
  // The requests that a page makes once, at its beginning, are not counted.
  await pause(3_000)
  const counts = new Map<string, number>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    counts.set(pathname + search, (counts.get(pathname + search) ?? 0) + 1)
  })
  await pause(watchedSeconds * 1_000)
  await context.close()
  return [...counts].map(([path, count]) => ({ path, everyMs: (watchedSeconds * 1_000) / count }))
}

/** The user and system time of a process in seconds (proc(5)). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const ticksPerSecond = 100
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

async function scrolling({ service, browser, cookie }: Setting): Promise<Figure[]> {
  await registerCertificates(service)
  const context = await browser.newContext({ viewport })
  await context.addCookies([cookie])
  const page = await listOf(context, service)
  const cpuOf = await countCpu(page)
  const measured = await scroll(page)
  const cpu = await cpuOf()
  await page.setContent(`<body style="height: ${rows * 41}px; background: linear-gradient(#fff, #ccc)">`)
  const empty = await scroll(page)
  await context.close()
  const perFrame = (seconds: number) => (seconds * 1_000) / measured.frames.length
  const late = (frames: readonly number[]) => (frames.filter((ms) => ms > 50).length / frames.length) * 100
  return [
    {
      section,
      what: `scrolling ${rows} rows, CPU time of the page for a frame`,
      value: perFrame(cpu.TaskDuration),
      unit: 'ms',
      ratio: { to: 'the time between two frames', value: perFrame(cpu.TaskDuration) / frameMs, most: 1 },
    },
    {
      section,
      what: 'the same, scripts and layout alone',
      value: perFrame(cpu.ScriptDuration + cpu.LayoutDuration + cpu.RecalcStyleDuration),
      unit: 'ms',
    },
    {
      section,
      what: `scrolling ${rows} rows, longest task`,
      value: Math.max(0, ...measured.tasks),
      unit: 'ms',
    },
    {
      section,
      what: 'the same, time from frame to frame, p95',
      value: percentile(measured.frames, 0.95),
      unit: 'ms',
      ratio: {
        to: 'an empty page',
        value: percentile(measured.frames, 0.95) / percentile(empty.frames, 0.95),
      },
    },
    { section, what: 'the same, frames later than 50 ms', value: late(measured.frames), unit: '%' },
    {
      section,
      what: 'an empty page of the same height, frames later than 50 ms',
      value: late(empty.frames),
      unit: '%',
    },
  ]
}

async function registerCertificates(service: MeasuredService): Promise<void> {
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({
      certificateNumber: `B-${String(index).padStart(5, '0')}`,
      heatNumber: `H ${randomUUID().slice(0, 8)}`,
      grade: 'S355J2+N',
      inspectionDocument: '3.1',
      manufacturer: 'A mill',
      thicknessMm: 12,
    }),
  )
  const response = await fetch(
    `${service.url}/api/company/${service.dev.companyId}/millcert/certificates/bulk`,
    {
      method: 'POST',
      body: lines.join('\n'),
      headers: {
        authorization: `Bearer ${await service.token('planner')}`,
        'content-type': 'application/x-ndjson',
      },
    },
  )
  await response.text()
  if (!response.ok) throw new Error(`the certificates were not registered: ${response.status}`)
}

/** Open the list, and read all of its pages. */
async function listOf(context: BrowserContext, service: MeasuredService): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${service.url}/portal/c/${service.dev.companyId}/certificates`)
  await page.getByRole('table').waitFor()
  const more = page.locator('.more')
  for (let read = 0; read < 100 && (await more.count()) > 0; read++) {
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await pause(100)
  }
  await page.evaluate('scrollTo(0, 0)')
  return page
}

/** Milliseconds between two frames at 60 a second. */
const frameMs = 1_000 / 60

const cpuMetrics = ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'] as const
type CpuSeconds = Record<(typeof cpuMetrics)[number], number>

/**
 * Count the CPU time of the page's main thread, which does not depend on what else the machine does. Return a function
 * that tells the seconds since then.
 */
async function countCpu(page: Page): Promise<() => Promise<CpuSeconds>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
    return Object.fromEntries(cpuMetrics.map((name) => [name, of(name)])) as CpuSeconds
  }
  const before = await read()
  return async () => {
    const after = await read()
    return Object.fromEntries(cpuMetrics.map((name) => [name, after[name] - before[name]])) as CpuSeconds
  }
}

interface Scrolled {
  /** Milliseconds of each task of more than 50. */
  readonly tasks: readonly number[]
  /** Milliseconds from each frame to the next. */
  readonly frames: readonly number[]
}

/** Scroll down by three rows with each frame, as fast as a scroll wheel that slows down. */
function scroll(page: Page): Promise<Scrolled> {
  return page.evaluate<Scrolled>(`new Promise((resolve) => {
    const tasks = []
    const frames = []
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
    observer.observe({ type: 'longtask' })
    let last = performance.now()
    const step = () => {
      const now = performance.now()
      frames.push(now - last)
      last = now
      scrollBy(0, 123)
      if (frames.length < 280) requestAnimationFrame(step)
      else setTimeout(() => resolve({ tasks, frames }), 200)
    }
    requestAnimationFrame(step)
  })`)
}
