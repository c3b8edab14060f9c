import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { call } from '../support/call.ts'
import { tokenOf } from '../support/serviceProcess.ts'
import { sized } from '../support/size.ts'
import { until } from '../support/until.ts'
import { inCompany, open, row, service } from './visits.ts'
import { registerHeat } from './yard.ts'

/**
 * A list of 3,000 rows scrolls without stutter if each frame draws only the rows that come into view, and leaves the
 * others as they are. The spec counts rows, because times depend on everything else that the machine does; the times
 * are in bench/RESULTS.md.
 */

const rows = 3_000
/** Rows that may be in the document at once: those of the window, and those that are drawn ahead. */
const mostDrawn = 80
/** Rows that a step scrolls by. */
const step = 3
const rowHeight = 41
/** How often the journey scrolls. */
const steps = sized(50, 200)

export function scrollLongLists(): void {
  it('draw the rows in view alone, and each of them once', async () => {
    await registerHeat()
    const page = await open('viewer', '/account/keys')
    await answerWithCertificates(page)
    await open('viewer', inCompany('/certificates'))
    await row(page, 'LONG-00000').waitFor()
    await readAll(page)
    const drawn = await page.evaluate<{ most: number; added: number; steps: number; moved: number }>(`
      (async () => {
        const frame = () => new Promise(requestAnimationFrame)
        const body = document.querySelector('tbody')
        let most = 0
        let added = 0
        new MutationObserver((changes) => {
          for (const { addedNodes } of changes)
            for (const node of addedNodes) if (node.ariaRowIndex) added++
        }).observe(body, { childList: true })
        const steps = ${steps}
        let moved = 0
        for (let at = 0; at < steps; at++) {
          const height = document.documentElement.scrollHeight
          scrollBy(0, ${step * rowHeight})
          await frame()
          await frame()
          most = Math.max(most, body.rows.length)
          moved += Math.abs(document.documentElement.scrollHeight - height)
        }
        return { most, added, steps, moved }
      })()`)
    expect(drawn.most).toBeLessThanOrEqual(mostDrawn)
    // A row is drawn when it comes near, and never again while it stays.
    expect(drawn.added).toBeLessThanOrEqual(drawn.steps * step + mostDrawn)
    expect(drawn.added).toBeGreaterThanOrEqual(drawn.steps * step - mostDrawn)
    // The bar beside the list does not jump.
    expect(drawn.moved).toBeLessThanOrEqual(drawn.steps)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await row(page, `LONG-0${rows - 1}`).waitFor()
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(rows + 1))
    await page.unrouteAll({ behavior: 'wait' })
  })
}

/** Answer the page's list with so many certificates, page by page. Registering them takes much longer. */
async function answerWithCertificates(page: Page): Promise<void> {
  const all = `${service.url}/api/company/${service.dev.companyId}/millcert/certificates`
  const token = await tokenOf(service.dev, 'viewer')
  const [example] = (await call('GET', `${all}?limit=1`, { token })).body
  const certificates = Array.from({ length: rows }, (_, index) => ({
    ...example,
    millCertificationId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    certificateNumber: `LONG-${String(index).padStart(5, '0')}`,
  }))
  await page.route(`${all}?**`, (route) => {
    const { searchParams } = new URL(route.request().url())
    const [from, limit] = [Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit'))]
    const next = from + limit < rows && { link: `<${all}?limit=${limit}&cursor=${from + limit}>; rel="next"` }
    const headers = { etag: `"${from}"`, ...next }
    return route.fulfill({ json: certificates.slice(from, from + limit), headers })
  })
}

/** Stay at the end of the list until all of its pages are read, and go back. */
async function readAll(page: Page): Promise<void> {
  const table = page.getByRole('table')
  await until(async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    return (await table.getAttribute('aria-rowcount')) === String(rows + 1)
  })
  await page.evaluate('scrollTo(0, 0)')
  await row(page, 'LONG-00000').waitFor()
}
