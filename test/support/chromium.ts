import { existsSync } from 'node:fs'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

/** Drives the Chromium of this machine, and collects everything that a page should not do. */

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

export const hasChromium = executablePath !== undefined

if (!hasChromium)
  console.warn(
    '\nThere is no Chromium, so the specs of the portal in a browser are SKIPPED.\nInstall it with "apt-get install chromium".\n',
  )

export function launchChromium(): Promise<Browser> {
  // The specs may run as root, for whom Chromium has no sandbox. They visit their own service alone.
  return chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
}

/** Collect the faults of all pages of a context: errors, violations of the policy, requests to other hosts. */
export function watch(context: BrowserContext, hosts: readonly string[]): string[] {
  const faults: string[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    const { url } = message.location()
    // The page asks who is logged in; without a session the browser itself reports the answer 401.
    if (url.endsWith('/api/me') && message.text().includes('401')) return
    faults.push(`console: ${message.text()} ${url}`)
  })
  context.on('weberror', (error) => faults.push(`error: ${error.error().stack}`))
  context.on('request', (request) => {
    const { host, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !hosts.includes(host)) faults.push(`request: ${request.url()}`)
  })
  return faults
}

const axeOptions: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
}

/** Expect that axe finds no violation of WCAG 2.2 AA on the page. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(axeOptions)})`)
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, where).toEqual([])
}
