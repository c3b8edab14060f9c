import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { millCertificateKey, millCertificateStream } from '../../../src/domain/certificates/certificate.ts'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import type { RuleAssignmentsReplaced } from '../../../src/domain/rulePacks/ruleAssignments.ts'
import { loadRulePacks } from '../../../src/rulePacks/load.ts'
import { connectEventStore } from '../../../src/stores/eventStoreDb/connect.ts'
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
const store = await own(connectEventStore(older.settings.EVENTSTORE_URL!))
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

/** Return the events that rules have recorded on a certificate, in order. */
const recordedOn = async (id: string, companyId = older.companyId) => {
  const events = await Array.fromAsync(
    store.readStream(millCertificateStream(millCertificateKey(companyId, id)), 0),
  )
  return events.filter((event): event is Recorded<RuleAssignmentsReplaced> => event.type.startsWith('Rule'))
}
const versionsOn = async (id: string, companyId?: string) =>
  (await recordedOn(id, companyId)).map(({ data }) => data.version)

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

  it('leaves the old evidence as it was, and records each change once', async () => {
    const [first, second, ...more] = await recordedOn(certificates[0]!.millCertificationId)
    expect(more).toEqual([])
    expect(first!.data).toMatchObject({
      version,
      matched: [{ ruleId: 'no-date-of-issue', clause: 'House rule', tagId: detailsMissing }],
    })
    expect(second!.data).toMatchObject({
      version: nextVersion,
      matched: [{ ruleId: 'no-date-of-issue', clause: 'House rule, second edition' }],
    })
    const versions = await Promise.all(
      certificates.map(({ millCertificationId }) => versionsOn(millCertificationId)),
    )
    expect(versions).toEqual(certificates.map((_, n) => (n % 2 === 0 ? [version, nextVersion] : [])))
  })
})

describe('side by side', () => {
  const tagsOf = async (id: string) => tagNamesOf(await get(`millcert/certificates/${id}`))

  it('the older release refuses to downgrade, with the reason', async () => {
    const refused = await send('older', 'admin', 'POST', `${pack}/upgrade`)
    expect([refused.status, refused.body.code]).toEqual([409, 'rule-pack-newer'])
    expect((await send('older', 'admin', 'POST', `${pack}/subscribe`)).status).toBe(200)
    expect(await packAt('older')).toMatchObject({ version, subscribedVersion: nextVersion, subscribed: true })
  })

  it('what the older one registers and corrects is evaluated by the newer one, and nothing is undone', async () => {
    const registered = await send('older', 'planner', 'POST', 'millcert/certificates', certificate(count + 2))
    const id: string = registered.body.millCertificationId
    expect([registered.status, tagNamesOf(registered.body)]).toEqual([201, []])
    await until(async () => (await tagsOf(id)).includes('Certificate incomplete'))

    const known = certificates[0]!.millCertificationId
    const correct = (change: object) =>
      send('older', 'planner', 'PUT', `millcert/certificates/${known}`, { ...certificate(0), ...change })
    const corrected = await correct({ manufacturer: 'Another mill' })
    expect([corrected.status, tagNamesOf(corrected.body)]).toEqual([200, ['Certificate incomplete']])
    await correct({ issuedOn: '2026-05-05' })
    await until(async () => (await tagsOf(known)).length === 0)
    expect([await versionsOn(id), await versionsOn(known)]).toEqual([
      [nextVersion],
      [version, nextVersion, nextVersion],
    ])
  })

  it('a company that subscribes at the older one has its version, whoever registers', async () => {
    const { otherCompanyId } = older
    const there = (path: string) => `/api/company/${otherCompanyId}/${path}`
    const at = (release: Release, path: string, body?: object) =>
      send(release, 'outsider', 'POST', there(path), body)
    const before = await at('newer', 'millcert/certificates', certificate(0))
    expect((await at('older', `${pack}/subscribe`)).body.subscribedVersion).toBe(version)
    await done('newer', 'outsider', there(pack))
    const after = await at('newer', 'millcert/certificates', certificate(2))
    for (const { body } of [before, after]) {
      const one = there(`millcert/certificates/${body.millCertificationId}`)
      await until(async () => {
        const { body: found } = await send('newer', 'outsider', 'GET', one)
        return tagNamesOf(found).includes('Certificate details missing')
      })
      expect(await versionsOn(body.millCertificationId, otherCompanyId)).toEqual([version])
    }
    // And the other company's is what it was.
    expect(await packAt('older')).toMatchObject({ subscribedVersion: nextVersion })
    expect(await tagsOf(certificates[2]!.millCertificationId)).toEqual(['Certificate incomplete'])
    expect(await versionsOn(certificates[2]!.millCertificationId)).toEqual([version, nextVersion])
  })
})
