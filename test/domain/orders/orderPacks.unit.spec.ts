import { expect, it } from 'vitest'
import { issuePack, orderPacks, type PackFacts } from '../../../src/domain/orders/orderPacks.ts'
import { companyId, given, id } from '../../support/given.ts'

const pack: PackFacts = {
  companyId,
  orderId: id(1),
  packId: id(880),
  documentId: id(881),
  cutIds: [id(703)],
  sha256: 'ef'.repeat(32),
  bytes: 90_210,
  fileName: 'Order-pack-SO-1001.zip',
  position: 200,
  checkpointSize: 99,
  cleared: true,
}
const issued = { type: 'PackIssued', data: pack } as const

it('issues a pack once, and knows it with all of its facts', () => {
  given(orderPacks)
    .when((state) => issuePack(state, pack))
    .records(issued)
  given(orderPacks, issued)
    .when((state) => issuePack(state, pack))
    .recordsNothing()
  expect(given(orderPacks, issued).state.toJS()).toEqual({ [pack.packId]: pack })
})
