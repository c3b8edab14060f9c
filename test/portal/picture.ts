import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launchChromium, sessionCookie } from '../support/chromium.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { cleanEnvironment, root, startEmbedded } from '../support/serviceProcess.ts'

/** `npm run picture` takes the picture of the README from the real portal with the examples. */

const dataDir = newDataDir()
const service = await startEmbedded(dataDir)
try {
  const env = cleanEnvironment({ HEATMARK_DATA_DIR: dataDir })
  await promisify(execFile)(process.execPath, ['src/cli/demo.ts'], { cwd: root, env })
  const browser = await launchChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  await context.addCookies([await sessionCookie(service.url, service.dev.people.admin)])
  const page = await context.newPage()
  await page.goto(`${service.url}/portal/c/${service.dev.companyId}/bars`)
  // A button that has just appeared rests.
  await page.getByRole('button', { name: 'Approve', disabled: false }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(root, 'docs/portal.png') })
  await browser.close()
} finally {
  await service.end()
  removeDataDir(dataDir)
}
