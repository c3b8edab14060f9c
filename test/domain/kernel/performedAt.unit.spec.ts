import { expect, it } from 'vitest'
import { refusePerformedAt } from '../../../src/domain/kernel/performedAt.ts'

it('accepts a time of the last 24 hours, and no other', () => {
  const now = '2026-03-02T12:00:00.000Z'
  const refused = expect.objectContaining({
    code: 'validation-failed',
    details: { errors: [expect.objectContaining({ path: '/performedAt', code: 'out-of-bounds' })] },
  })
  for (const good of [now, '2026-03-01T12:00:00.000Z', '2026-03-02T13:00:00+01:00'])
    expect(refusePerformedAt(good, now)).toBeUndefined()
  for (const bad of ['2026-03-02T12:00:00.001Z', '2026-03-01T11:59:59.999Z'])
    expect(() => refusePerformedAt(bad, now)).toThrow(refused as Error)
})
