import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { loadRulePacks } from '../../../src/rulePacks/load.ts'
import { own } from '../../support/own.ts'
import { startStore } from '../../support/store.ts'
import { type ClientName, startTestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/**
 * Two releases on the same stores, of which the newer ships one more version of one pack. The event store is a
 * local one whatever EVENTSTORE_URL names: with that version in it, the policies of other specs would wait for
 * the newer release.
 */

/** Enough for the evaluation to say how far it is before it is done. */
const count = 300
const pack = 'rule-packs/completeness'

const packs = await loadRulePacks()
const present = packs.findLast(({ document }) => document.id === 'completeness')!.document
const version = present.version
const nextVersion = version + 1

/**
 * In the next version a missing date of issue makes a certificate incomplete, and no rule looks at orders.
 */
const next = (document: typeof present) => ({
  ...document,
  version: nextVersion,
  tags: document.tags.filter(({ family }: { family: string }) => family !== 'order'),
  rules: document.rules
    .filter(({ family }: { family: string }) => family !== 'order')
    .map((rule) =>
      rule.ruleId === 'no-date-of-issue'
        ? { ...rule, tag: 'incomplete', clause: 'House rule, second edition' }
        : rule,
    ),
})

const newerRulePacks = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-packs-'))
  cpSync(new URL('../../../src/rulePacks/packs/', import.meta.url), folder, { recursive: true })
  writeFileSync(join(folder, 'completeness', `${nextVersion}.json`), JSON.stringify(next(present)))
  try {
    return await loadRulePacks(pathToFileURL(`${folder}/`))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const complete = {
  heatNumber: 'H 1',
  grade: 'S355J2+N',
  standard: 'EN 10025-2',
  inspectionDocument: '3.1',
  manufacturer: 'A mill',
  productForm: 'Plate',
  thicknessMm: 12,
  chemistry: { C: 0.15, Mn: 1.4, Si: 0.3, P: 0.01, S: 0.01, Cr: 0.05, Mo: 0.01, V: 0.01, Ni: 0.02, Cu: 0.05 },
  mechanical: { reHMpa: 380, rmMpa: 540, a5Percent: 25, kvJoule: 90, kvTemperatureC: -20 },
}
/** Every other one has no date. */
const certificate = (n: number) => ({
  ...complete,
  certificateNumber: `MC-${String(n).padStart(5, '0')}`,
  issuedOn: n % 2 === 0 ? null : '2026-05-04',
})
const order = { orderNumber: 'SO-1', lineItems: [{ lineNumber: 10, lengthMm: 1000, quantity: 1 }] }

let newer: { url: string; stop(): Promise<void> }
const node = await own(startStore())
const older = await own(startTestService({ EVENTSTORE_URL: node.url }))
afterAll(() => newer?.stop())

type Release = 'older' | 'newer'
const send = (release: Release, client: ClientName, method: string, path: string, body?: object) =>
  older.send(client, method, path, { ...(body && { body }), ...(release === 'newer' && { at: newer.url }) })
const get = async (path: string, release: Release = 'newer') =>
  (await send(release, 'admin', 'GET', path)).body
const packAt = async (release: Release, client: ClientName = 'admin', at = pack) => {
  const { body } = await send(release, client, 'GET', at.replace('/completeness', ''))
  return body.find(({ id }: { id: string }) => id === 'completeness')
}
const done = (release: Release, client?: ClientName, at?: string) =>
  until(async () => (await packAt(release, client, at)).evaluation.status === 'done')
const tagNamesOf = ({ tags }: { tags: { name: string }[] }) => tags.map(({ name }) => name)
const tagIdOf = async (name: string) =>
  (await get('millcert-tags')).find((tag: { name: string }) => tag.name === name).tagId
let certificates: { millCertificationId: string; tags: { name: string }[] }[]

describe('an upgrade', () => {
  let historyBefore: object[]
  let detailsMissing: string

  it('is offered and previewed at the newer release', async () => {
    const planner = await older.identity.token({ oid: 'planner', name: 'Planner' })
    const lines = Array.from({ length: count }, (_, n) => JSON.stringify(certificate(n))).join('\n')
    const registered = await fetch(`${older.url}/api/company/${older.companyId}/millcert/certificates/bulk`, {
      method: 'POST',
      body: lines,
      headers: { authorization: `Bearer ${planner}`, 'content-type': 'application/x-ndjson' },
    })
    expect((await registered.text()).match(/"status":201/g)).toHaveLength(count)
    await send('older', 'planner', 'POST', 'orders', order)
    await send('older', 'admin', 'POST', `${pack}/subscribe`)
    await done('older')
    expect((await packAt('older')).evaluation).toEqual({ status: 'done', done: count + 1, total: count + 1 })

    newer = await older.startAnother({}, { rulePacks: await newerRulePacks() })
    await until(async () => (await send('newer', 'admin', 'GET', 'rule-packs')).status === 200)
    expect(await packAt('older')).toMatchObject({ version, subscribedVersion: version })
    expect(await packAt('newer')).toMatchObject({ version: nextVersion, subscribedVersion: version })
    certificates = await get('millcert/certificates')
    expect(certificates.map(tagNamesOf)).toEqual(
      certificates.map((_, n) => (n % 2 === 0 ? ['Certificate details missing'] : [])),
    )
    detailsMissing = await tagIdOf('Certificate details missing')
    historyBefore = await get(`millcert-tags/${detailsMissing}/history`)

    const { body: preview } = await send('newer', 'admin', 'POST', `${pack}/preview`)
    expect([preview.gains.length, preview.losses.length]).toEqual([count / 2, count / 2 + 1])
    expect([preview.gainCount, preview.lossCount]).toEqual([count / 2, count / 2 + 1])
    expect(preview.gains[0].tag.name).toBe('Certificate incomplete')
  })

  it('evaluates everything again in the background, and says how far it is', async () => {
    const { status, body } = await send('newer', 'admin', 'POST', `${pack}/upgrade`)
    expect([status, body.version, body.subscribedVersion]).toEqual([200, nextVersion, nextVersion])
    expect(body.evaluation.status).not.toBe('done')
    const seen: { status: string; done: number; total: number }[] = []
    await until(async () => {
      seen.push((await packAt('newer')).evaluation)
      return seen.at(-1)!.status === 'done'
    })
    expect(seen.at(-1)).toEqual({ status: 'done', done: count + 1, total: count + 1 })
    const steps = seen.map((evaluation) => evaluation.done)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    const between = seen.filter((evaluation) => evaluation.status === 'running')
    expect(between.some((evaluation) => evaluation.done > 0 && evaluation.done < evaluation.total)).toBe(true)
  })

  it('gives each subject the tags of the new version, at either release', async () => {
    for (const release of ['older', 'newer'] as const) {
      certificates = await get('millcert/certificates', release)
      expect(certificates.map(tagNamesOf)).toEqual(
        certificates.map((_, n) => (n % 2 === 0 ? ['Certificate incomplete'] : [])),
      )
      expect((await get('orders', release)).map(tagNamesOf)).toEqual([[]])
      expect(await get('order-tags/deleted', release)).toMatchObject([
        { name: 'Grade of the order unreadable', usageCount: 0, isSystemTag: true },
        { name: 'Line without grade', usageCount: 0, isSystemTag: true },
        { name: 'Not judged', usageCount: 0, isSystemTag: true },
      ])
    }
    const why = `millcert-tag-assignments/${certificates[0]!.millCertificationId}/explanations`
    expect(await get(why)).toMatchObject([
      {
        tagName: 'Certificate incomplete',
        rulePackVersion: nextVersion,
        ruleId: 'no-date-of-issue',
        clause: 'House rule, second edition',
        result: 'matched',
      },
    ])
  })

  it('shows in the history what changed and why, beside all that was there', async () => {
    const byPack = { changedById: 'completeness', assignedByRuleId: 'no-date-of-issue' }
    const history: object[] = await get(`millcert-tags/${detailsMissing}/history`)
    expect(history.slice(count / 2)).toEqual(historyBefore)
    for (const change of history.slice(0, count / 2))
      expect(change).toMatchObject({ changeType: 'Unassigned', ...byPack })
    const gained: object[] = await get(`millcert-tags/${await tagIdOf('Certificate incomplete')}/history`)
    expect(
      gained.filter((change) => 'changeType' in change && change.changeType === 'Assigned'),
    ).toHaveLength(count / 2)
    expect(gained[0]).toMatchObject({ changeType: 'Assigned', ...byPack })
  })
})
