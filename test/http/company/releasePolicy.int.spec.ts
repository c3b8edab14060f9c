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
})
