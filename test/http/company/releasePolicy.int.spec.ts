import { describe, expect, it } from 'vitest'
import { own } from '../../support/own.ts'
import { type Sent, startTestService } from '../../support/testService.ts'

/** The release policy over the whole service. */

const service = await own(startTestService())

const path = 'release-policy'
const read = () => service.send('viewer', 'GET', path)
const set = (body: object, sent: Sent = {}) => service.send('admin', 'PUT', path, { body, ...sent })

describe('the release policy', () => {
  it('shows every default before the company has set anything', async () => {
    const { status, headers, body } = await read()
    expect(status).toBe(200)
    expect(headers.get('etag')).toMatch(/^"0-/)
    expect(body).toEqual({
      severities: {
        'no-certificate': 'Flag',
        'option-unmet': 'Block',
        'option-unstated': 'Flag',
        'heat-unread': 'Off',
        'certificate-not-released': 'Off',
        'grade-mismatch': 'Block',
        'grade-substitute': 'Block',
        'delivery-condition-unstated': 'Flag',
        'bar-grade-differs': 'Flag',
        'grade-unreadable': 'Block',
        'grade-withdrawn': 'Flag',
        'profile-mismatch': 'Block',
        'profile-unreadable': 'Flag',
        'size-mismatch': 'Block',
        'profiles-differ-on-bar': 'Block',
        'certificate-contradicts-itself': 'Flag',
        'document-insufficient': 'Block',
        'demand-unstated': 'Flag',
        'cut-too-short': 'Block',
        'line-overplanned': 'Flag',
        'piece-mark-repeated': 'Flag',
        'line-cancelled': 'Block',
        'same-heat-blocked': 'Flag',
        'heat-analyses-differ': 'Flag',
        'not-judged': 'Flag',
        'original-missing': 'Audit',
        'stock-exceeded': 'Flag',
      },
      byExecutionClass: {
        EXC1: {},
        EXC2: {},
        EXC3: { 'no-certificate': 'Block', 'heat-unread': 'Block' },
        EXC4: { 'no-certificate': 'Block', 'heat-unread': 'Block' },
      },
      defaultInspectionDocument: null,
      fourEyes: false,
      qualityOnly: false,
    })
  })

  it('changes the members that are sent, and reads as it was answered', async () => {
    const severities = { 'certificate-not-released': 'Block' }
    const made = await set({ severities, byExecutionClass: { EXC3: { 'no-certificate': 'Flag' } } })
    expect(made.status).toBe(200)
    expect(made.body.severities).toMatchObject({ ...severities, 'grade-mismatch': 'Block' })
    expect(made.body.byExecutionClass).toMatchObject({
      EXC3: { 'no-certificate': 'Flag' },
      EXC4: { 'no-certificate': 'Block' },
    })
    const { headers, body } = await read()
    expect(body).toEqual(made.body)
    expect(headers.get('etag')).toBe(made.headers.get('etag'))

    const other = await set({ fourEyes: true })
    expect(other.body).toEqual({ ...made.body, fourEyes: true })
  })

  it('records nothing when it is sent as it was read', async () => {
    const before = await read()
    const again = await set(before.body)
    expect(again.body).toEqual(before.body)
    expect(again.headers.get('etag')).toBe(before.headers.get('etag'))
    expect((await set({})).headers.get('etag')).toBe(before.headers.get('etag'))
  })

  it('is not changed by somebody who has not seen the present one', async () => {
    const { headers, body } = await read()
    const sent = { headers: { 'if-match': headers.get('etag')! } }
    expect((await set({ qualityOnly: !body.qualityOnly }, sent)).status).toBe(200)
    expect(await set({ qualityOnly: body.qualityOnly }, sent)).toMatchObject({
      status: 412,
      body: { code: 'precondition-failed' },
    })
  })

  it('names every unknown code, class, severity and document', async () => {
    const { status, body } = await set({
      severities: { 'certificate-tag': 'Flag', 'grade-mismatch': 'Blocking' },
      byExecutionClass: { EXC5: {}, EXC2: { 'grade-mismatch': null, nothing: 'Off' } },
      defaultInspectionDocument: '3.3',
      fourEyes: 'yes',
    })
    expect(status).toBe(400)
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()
    expect(pointers).toEqual([
      '#/byExecutionClass/EXC2/grade-mismatch',
      '#/byExecutionClass/EXC2/nothing',
      '#/byExecutionClass/EXC5',
      '#/defaultInspectionDocument',
      '#/fourEyes',
      '#/severities/certificate-tag',
      '#/severities/grade-mismatch',
    ])
  })
})
