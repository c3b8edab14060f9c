import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** A page knows when the session ends for the company that it shows. */

const minuteMs = 60_000
const limits: Readonly<Record<string, number>> = { '/api/me': 480, saw: 480, office: 30 }

let loads = 0
/** The last use that the service has noted. */
let usedAtMs: number
let touch: () => void

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => {
    touch = listener
  })
  vi.stubGlobal('location', { pathname: '/portal/c/office/bars' })
  vi.stubGlobal('fetch', async (address: string, { headers }: { headers: Record<string, string> }) => {
    if (!headers['Heatmark-Poll']) usedAtMs = Date.now()
    const minutes = limits[/company\/(\w+)/.exec(address)?.[1] ?? address]!
    const [idle, latest] = [usedAtMs + minutes * minuteMs, usedAtMs + 720 * minuteMs]
    const ends = `idle=@${idle / 1_000}, latest=@${latest / 1_000}`
    return new Response('[]', { headers: { 'Session-Ends': ends, Date: new Date().toUTCString() } })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('although other answers tell of a later end, and touches without a network move it by the same time', async () => {
  const client = await import(`../../src/portal/api/client.ts?${loads++}`)
  const minutesLeft = () => (client.sessionEndHere() - Date.now()) / minuteMs
  const read = (companyId: string) => client.call('listProductionPlanBars', { params: { companyId } })
  await client.call('getMe', {})
  expect(minutesLeft()).toBe(480)
  // The first answer of the office is to a poll.
  await read('office')
  await client.call('getMe', {})
  await read('saw')
  expect(minutesLeft()).toBe(30)
  vi.advanceTimersByTime(29 * minuteMs)
  touch()
  expect(minutesLeft()).toBe(30)
  vi.stubGlobal('location', { pathname: '/portal/c/saw/saw' })
  expect(minutesLeft()).toBe(480)
})
