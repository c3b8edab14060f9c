import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { cookieNames } from '../../src/http/kit/authentication/cookies.ts'
import { idOf } from '../../src/identity/sessions/sessions.ts'
import { connectPostgres } from '../../src/stores/postgres/postgres.ts'
import { expectAccessible } from '../support/accessible.ts'
import { atTheSaw, planHeat, scan, statusOf } from './tablet.ts'
import { allowNoNetwork, button, expectRefusal, logInAt, service } from './visits.ts'
import { send } from './yard.ts'

/** A journey through a session at the saw that ends. */

export function workAWholeShift(): void {
  atTheSaw(
    'keeps a Cutter logged in for a shift, says when the session will end, and sends taps after the next login',
    async () => {
      await send('PUT', '/settings', { cutterIdleMinutes: 480 })
      return planHeat('A whole shift', ['Approved'])
    },
    async (page, { heatNumber, barIds }) => {
      const ending = page.locator('.sessionEnding')
      const answered = () =>
        page.waitForResponse((response) => response.url().includes('production-plan-bars'))
      await scan(page, heatNumber)
      await button(page, 'Start').waitFor()
      await setSession(page, { idleMinutes: 7 * 60 })
      expect((await answered()).ok()).toBe(true)
      expect(await ending.count()).toBe(0)
      await setSession(page, { idleMinutes: 7 * 60 + 57 })
      await ending.getByText('The session ends in 3 min, because nobody has used it.').waitFor()
      await expectAccessible(page, 'a session that ends soon')
      await button(page, 'Stay logged in').click()
      await ending.waitFor({ state: 'detached' })
      await setSession(page, { leftMinutes: 3 })
      await ending.getByText('The session ends in 3 min, 12 hours after the login.').waitFor()

      // With the setting of other people, the same session has ended.
      await send('PUT', '/settings', { cutterIdleMinutes: 30 })
      await page.context().setOffline(true)
      await button(page, 'Start').click()
      await page.getByText('Not sent yet: 1').waitFor()
      await setSession(page, { idleMinutes: 31 })
      await page.context().setOffline(false)
      const ended = page.getByRole('alertdialog', { name: 'The session has ended' })
      await ended.waitFor()
      expect(await statusOf(barIds[0]!)).toBe('Approved')
      const [login] = await Promise.all([
        page.context().waitForEvent('page'),
        ended.getByRole('button', { name: 'Log in' }).click(),
      ])
      await logInAt(login, 'cutter')
      await ended.waitFor({ state: 'detached' })
      await page.getByText('Not sent yet').waitFor({ state: 'detached' })
      expect(await statusOf(barIds[0]!)).toBe('Started')
      expectRefusal(401)
      allowNoNetwork()
    },
  )
}

/** Change the times of the page's session, as if minutes had passed since its last use or its login. */
async function setSession(
  page: Page,
  { idleMinutes, leftMinutes }: { readonly idleMinutes?: number; readonly leftMinutes?: number },
): Promise<void> {
  const cookies = await page.context().cookies(service.url.replace('http:', 'https:'))
  const { value } = cookies.find(({ name }) => name === cookieNames(service.url).session)!
  const postgres = connectPostgres({ url: service.dev.databaseUrl, name: 'spec', size: 1 })
  const set = (column: string, minutes: number) =>
    postgres.query(
      `UPDATE heatmark_local.session SET ${column} = now() + $2 * interval '1 minute' WHERE id_hash = $1`,
      [idOf(value), minutes],
    )
  if (idleMinutes !== undefined) await set('used_at', -idleMinutes)
  if (leftMinutes !== undefined) await set('ends_at', leftMinutes)
  await postgres.close()
}
