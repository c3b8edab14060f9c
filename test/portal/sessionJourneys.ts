import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { cookieNames } from '../../src/http/kit/authentication/cookies.ts'
import { call } from '../support/call.ts'
import { tokenOf } from '../support/serviceProcess.ts'
import { allowRefusals, button, inCompany, logInAt, newContext, row, service } from './visits.ts'

/** Other sites and other people can do nothing with the session of a browser. */

export function keepSessionsApart(): void {
  it('a form of another port carries the cookie, and is refused', async () => {
    const other = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end(`
        <form method="post" action="${service.url}/api/me/keys" enctype="text/plain">
          <input name='{"label":"Not mine","expiresInDays":null,"x":"' value='"}'>
        </form>
        <script>document.forms[0].submit()</script>`),
    )
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`
    const context = await newContext('en-GB', 'planner', [host])
    try {
      const page = await context.newPage()
      const answered = page.waitForResponse(`${service.url}/api/me/keys`)
      await page.goto(`http://${host}/`)
      const answer = await answered
      const sent = await answer.request().allHeaders()
      expect(sent.cookie).toContain(`${cookieNames(service.url).session}=`)
      expect(sent['sec-fetch-site']).toBe('same-site')
      expect(answer.status()).toBe(401)
      expect(await answer.text()).toContain('credentials-missing')
      const token = await tokenOf(service.dev, 'planner')
      expect((await call('GET', `${service.url}/api/me/keys`, { token })).body).toEqual([])
    } finally {
      await context.close()
      other.close()
    }
    allowRefusals(401)
  })

  it('two people in two tabs never see or change anything as each other', async () => {
    const context = await newContext('en-GB', 'editor')
    const first = await context.newPage()
    await first.goto(`${service.url}/portal${inCompany('/tags/order')}`)
    await button(first, 'New tag').click()
    await first.getByLabel('Name').fill('Typed by Edith')
    const second = await context.newPage()
    await second.goto(`${service.url}/portal${inCompany('/tags/order')}`)
    const left = first.waitForEvent('load')
    await button(second, 'Log out').click()
    await left
    await button(first, 'Log in').waitFor()
    expect(await first.getByText('Edith Editor').count()).toBe(0)
    expect(await first.getByText('Order tags').count()).toBe(0)
    await button(second, 'Log in').click()
    await logInAt(second, 'viewer')
    await second.getByRole('heading', { level: 1 }).waitFor()
    await first.reload()
    await first.getByRole('heading', { level: 1, name: 'Order tags' }).waitFor()
    expect(await button(first, 'New tag').count()).toBe(0)
    expect(await first.getByText('Edith Editor').count()).toBe(0)
    expect(await row(first, 'Typed by Edith').count()).toBe(0)
    await context.close()
    // It depends on the moment how many requests of the first tab were refused.
    allowRefusals(401)
  })
}
