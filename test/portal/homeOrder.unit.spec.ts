import { expect, it } from 'vitest'
import { homeOrder, homeParts, incompleteTag } from '../../src/portal/screens/home/homeOrder.ts'
import { packOf } from '../rulePacks/shipped.ts'

it.each([
  [['Planner', 'Quality'], 'withdrawn'],
  [['Quality'], 'toRelease'],
  [['Cutter'], 'toSaw'],
  [['Viewer', 'Auditor'], 'changed'],
  [['Admin'], 'packsBehind'],
  [['Viewer'], 'withdrawn'],
])('the overview of %j has its own work after what is urgent, and everything once', (roles, first) => {
  const order = homeOrder(roles)
  expect(order.slice(0, 3)).toEqual(['toStop', 'held', first])
  expect(order.toSorted()).toEqual(homeParts.toSorted())
})

it('finds certificates that lack values by a tag of a shipped pack', () => {
  const { tags } = packOf('completeness').document
  expect(tags.map(({ family, name }) => [family, name])).toContainEqual(['millCert', incompleteTag])
})
