import { connect } from 'node:http2'
import {
  type ClockReading,
  differsBy,
  readPostgresClock,
  type Skew,
  skewOf,
  tolerableSkewMs,
} from '../../../stores/postgres/clockSkew.ts'
import type { Postgres } from '../../../stores/postgres/postgres.ts'
import { duration, type Finding, ok, problem, unknown } from './finding.ts'

/** Check that the clocks of this machine, PostgreSQL, the event store and the identity provider agree. */

/** With clocks further apart than this, in milliseconds, events get wrong times and new tokens are refused. */
const tolerableMs = 2_000
/** An HTTP `Date` has whole seconds, so it is compared with the middle of its second. */
const wholeSecondMs = 1_000
const answerWithinMs = 5_000

const sameTime = 'set both clocks by the same time server (NTP)'

/** The service compares the clock of each node with PostgreSQL's. */
export function comparePostgresClock(reading: ClockReading): Finding {
  const skew = skewOf(reading)
  const refused = `${sameTime}; until then the service refuses every command on this machine (503 clocks-differ)`
  return compare('PostgreSQL', skew, differsBy(tolerableSkewMs, skew) ? refused : sameTime)
}

export async function postgresClock(postgres: Postgres, now: () => Date): Promise<Finding> {
  return comparePostgresClock(await readPostgresClock(postgres, now))
}

/** Compare with the `Date` of an HTTP answer, if it has one. */
export function httpClock(
  of: string,
  date: string | null | undefined,
  told: Omit<ClockReading, 'time'>,
): Finding {
  const time = Date.parse(date ?? '')
  if (Number.isNaN(time)) return unknown(`clock of ${of}`, 'it does not tell the time')
  return compare(of, skewOf({ ...told, time }, wholeSecondMs), sameTime)
}

/** Return the first server of a connection string as an http address. */
export function httpAddressOf(eventStoreUrl: string): string {
  const host = /^[^:]+:\/\/(?:[^@/]*@)?([^/?,]+)/.exec(eventStoreUrl)?.[1] ?? ''
  const secure = !/[?&]tls=false/i.test(eventStoreUrl)
  return `http${secure ? 's' : ''}://${/:\d+$/.test(host) ? host : `${host}:2113`}`
}

export async function eventStoreClock(eventStoreUrl: string, now: () => Date): Promise<Finding> {
  const askedAt = now().getTime()
  const date = await dateOf(httpAddressOf(eventStoreUrl)).catch(() => undefined)
  return httpClock('the event store', date, { askedAt, heard: now().getTime() })
}

function compare(of: string, skew: Skew, todo: string): Finding {
  const { ms, uncertainMs } = skew
  const found = `${duration(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead of'} this machine's, ± ${duration(uncertainMs)}`
  return differsBy(tolerableMs, skew) ? problem(`clock of ${of}`, found, todo) : ok(`clock of ${of}`, found)
}

/**
 * EventStoreDB tells its time only in events, but every HTTP server dates its answers, and asking writes nothing.
 * Nothing secret is sent, so the certificate is not checked.
 */
function dateOf(address: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const session = connect(address, { rejectUnauthorized: false })
    const fail = (error: Error) => {
      session.destroy()
      reject(error)
    }
    session.setTimeout(answerWithinMs, () => fail(new Error('no answer')))
    session.on('error', fail)
    const request = session.request({ ':path': '/' })
    request.on('error', fail)
    // The client reports no error when a connection ends without an answer, as a proxy in front of a dead node ends it.
    request.on('close', () => fail(new Error('no answer')))
    request.on('response', (headers) => {
      session.destroy()
      resolve(headers.date)
    })
  })
}
