import { expect, it } from 'vitest'
import { withCount } from '../../src/portal/screens/orders/pieces.ts'

const piece = (cutId: string, findings: readonly object[] = [], millCertificationId: string | null = 'c') =>
  ({ cutId, findings, millCertificationId }) as Parameters<typeof withCount>[0][number]
const block = { severity: 'Block' }

it('takes as many pieces as asked for, and none that a Block or a missing certificate holds back', () => {
  const pieces = [
    piece('flagged', [{ severity: 'Flag' }]),
    piece('blocked', [block]),
    piece('bare', [], null),
    piece('overridden', [{ ...block, override: {} }]),
    piece('good'),
  ]
  expect(withCount(pieces, 2)).toEqual(['flagged', 'overridden'])
  expect(withCount(pieces, 9)).toEqual(['flagged', 'overridden', 'good'])
  expect(withCount(pieces, 0)).toEqual([])
})
