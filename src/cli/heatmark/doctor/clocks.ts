import { connect } from 'node:http2'
import type { Postgres } from '../../../postgres.ts'
import { duration, type Finding, ok, problem, unknown } from './finding.ts'

/**
 * Whether the clocks of this machine, PostgreSQL, the event store and the identity provider agree. An answer
 * was made somewhere between the question and its arrival, so the middle of the two is compared, and half of
 * the time between them is how wrong that may be.
 */

/** What another clock said, and when: `asked` and `heard` in milliseconds of this machine's clock. */
export interface Told {
  readonly asked: number
  readonly heard: number
  /** Milliseconds since 1970. */
  readonly time: number
}

/** Clocks further apart than this spoil times of events, and tokens that have just been made. */
const tolerableMs = 2_000
/** An HTTP `Date` has whole seconds: what it says is true for half a second on either side of its middle. */
const wholeSecondMs = 1_000
const answerWithinMs = 5_000

export const compareClocks = (of: string, { asked, heard, time }: Told, coarseMs = 0): Finding => {
  const skew = time + coarseMs / 2 - (asked + heard) / 2
  const uncertain = (heard - asked + coarseMs) / 2
  const found = `${duration(Math.abs(skew))} ${skew < 0 ? 'behind' : 'ahead of'} this machine's, ± ${duration(uncertain)}`
  if (Math.abs(skew) - uncertain <= tolerableMs) return ok(`clock of ${of}`, found)
  return problem(`clock of ${of}`, found, 'set both clocks by the same time server (NTP)')
}

export const postgresClock = async (postgres: Postgres, now: () => number): Promise<Finding> => {
  const asked = now()
  const [row] = await postgres.query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  )
  return compareClocks('PostgreSQL', { asked, heard: now(), time: row!.ms })
}

/** `Date` of an HTTP answer, if it has one. */
export const httpClock = (of: string, date: string | null | undefined, told: Omit<Told, 'time'>): Finding => {
  const time = Date.parse(date ?? '')
  if (Number.isNaN(time)) return unknown(`clock of ${of}`, 'it does not tell the time')
  return compareClocks(of, { ...told, time }, wholeSecondMs)
}

/** The first server that a connection string names, as an http address. */
export const httpAddressOf = (eventStoreUrl: string): string => {
  const host = /^[^:]+:\/\/(?:[^@/]*@)?([^/?,]+)/.exec(eventStoreUrl)?.[1] ?? ''
  const secure = !/[?&]tls=false/i.test(eventStoreUrl)
  return `http${secure ? 's' : ''}://${/:\d+$/.test(host) ? host : `${host}:2113`}`
}

/**
 * EventStoreDB tells its time only with an event that it writes; but every HTTP server dates its answers, and
 * nothing needs to be written for one. Nothing secret is sent, so the certificate is not looked at.
 */
const dateOf = (address: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const session = connect(address, { rejectUnauthorized: false })
    const fail = (error: Error) => {
      session.destroy()
      reject(error)
    }
    session.setTimeout(answerWithinMs, () => fail(new Error('no answer')))
    session.on('error', fail)
    const request = session.request({ ':path': '/' })
    request.on('error', fail)
    // A connection that ends without an answer is no error to the client: a proxy in front of a dead node ends it so.
    request.on('close', () => fail(new Error('no answer')))
    request.on('response', (headers) => {
      session.destroy()
      resolve(headers.date)
    })
  })

export const eventStoreClock = async (eventStoreUrl: string, now: () => number): Promise<Finding> => {
  const asked = now()
  const date = await dateOf(httpAddressOf(eventStoreUrl)).catch(() => undefined)
  return httpClock('the event store', date, { asked, heard: now() })
}
