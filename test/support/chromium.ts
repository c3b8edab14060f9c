import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserServer, chromium } from 'playwright-core'
import { cookieNames } from '../../src/http/kit/authentication/cookies.ts'
import { createBrowser } from './browser.ts'
import { demand } from './demand.ts'

/** Drives the Chromium of this machine, and collects everything that a page should not do. */

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

export const hasChromium = executablePath !== undefined

if (!hasChromium)
  console.warn(
    '\nThere is no Chromium, so the specs of the portal in a browser are SKIPPED.\nInstall it with "apt-get install chromium".\n',
  )

/** Each window would start a process for the suggestions of its address bar, which nobody sees. */
const suggestions = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** Each page would start a process for a page that may come next. Few specs open another one. */
const spareRenderer = 'SpareRendererForSitePerProcess'

/** Chromium obeys only the last list of such features, so this repeats what Playwright switches off on Linux. */
const switchedOff = [
  ...suggestions,
  spareRenderer,
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

// The specs may run as root, for whom Chromium has no sandbox. They visit their own service alone.
const args = ['--no-sandbox', `--disable-features=${switchedOff.join(',')}`]

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath!, args })
}

/** Start a Chromium for several processes. It ends with this one. */
export function serveChromium(): Promise<BrowserServer> {
  // Vitest itself ends this process at a signal.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  return chromium.launchServer({ executablePath: executablePath!, args, host: '127.0.0.1', ...signals })
}

/** Return the Chromium of this run. Its contexts that are opened here close with the connection. */
export async function connectChromium(): Promise<Browser> {
  const { url } = await demand<{ url: string }>('chromium')
  return chromium.connect(url)
}

/** Collect the faults of all pages of a context: errors, violations of the policy, requests to other hosts. */
export function watch(context: BrowserContext, hosts: readonly string[], faults: string[]): void {
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
    const isElsewhere = protocol.startsWith('http') && !hosts.includes(host)
    // Histories and logs keep addresses, and no API key may be there.
    if (isElsewhere || request.url().includes('hmk_')) faults.push(`request: ${request.url()}`)
  })
}

/** Log in without scripts, and return the session as a cookie for Chromium. */
export async function sessionCookie(url: string, person: { userName: string; password: string }) {
  const client = createBrowser()
  const { userName, password } = person
  await client.submit(await client.open(`${url}/portal/login`), { userName, password })
  const { session } = cookieNames(url)
  const kept = { value: client.cookies(url).get(session)!, sameSite: 'Strict' } as const
  // Chromium accepts a secure cookie in this way only for an address with https, and still sends it to loopback.
  return { name: session, ...kept, secure: true, httpOnly: true, url: url.replace('http:', 'https:') }
}
