import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launchChromium } from '../support/chromium.ts'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { cleanEnvironment, root, startEmbedded } from '../support/serviceProcess.ts'

/** `npm run picture` takes the picture of the README from the real portal with the examples. */

const dataDir = newDataDir()
const service = await startEmbedded(dataDir)
try {
  const env = cleanEnvironment({ HEATMARK_DATA_DIR: dataDir })
  await promisify(execFile)(process.execPath, ['src/cli/demo.ts'], { cwd: root, env })
  const browser = await launchChromium()
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  await page.goto(`${service.url}/portal/login?returnTo=/portal/c/${service.dev.companyId}/bars`)
  await page.locator('[name=userName]').fill('admin')
  await page.locator('[name=password]').fill(service.dev.people.admin.password)
  await page.getByRole('button').click()
  await page.getByRole('button', { name: 'Approve' }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(root, 'docs/portal.png') })
  await browser.close()
} finally {
  await service.end()
  removeDataDir(dataDir)
}
