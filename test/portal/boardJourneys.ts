import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { rested, tapAtOnce } from './finger.ts'
import { inCompany, open } from './visits.ts'
import { planBars } from './yard.ts'

/** Journeys on the board of a person with gloves. */

export function tapTwiceOnTheBoard(): void {
  it('takes no second tap on the card that has moved under the finger, until it has rested', async () => {
    const { barIds } = await planBars('Tapped twice', ['Draft', 'Draft', 'Draft'])
    const page = await open('planner', inCompany(`/bars/${barIds[0]}`))
    const [first, second] = barIds.map((barId) => approveOf(page, barId))
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })

    await rested(first!).waitFor()
    const { x, y, width, height } = (await first!.boundingBox())!
    const [atX, atY] = [x + width / 2, y + height / 2]
    await page.mouse.click(atX, atY)
    const under = `document.elementFromPoint(${atX}, ${atY})?.closest('button')`
    await tapAtOnce(page, `${under}?.closest('li:has(h3 a[href$="/bars/${barIds[1]}"])') && ${under}`)
    await rested(second!).waitFor()
    expect(sent).toEqual([expect.stringContaining(`/${barIds[0]}/approve`)])

    // The next tap in the same place means this card.
    await page.mouse.click(atX, atY)
    await second!.waitFor({ state: 'detached' })
    expect(sent.slice(1)).toEqual([expect.stringContaining(`/${barIds[1]}/approve`)])
    page.removeAllListeners('request')
  })
}

const approveOf = (page: Page, barId: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.locator(`h3 a[href$="/bars/${barId}"]`) })
    .getByRole('button', { name: 'Approve' })
