import { expect, it } from 'vitest'
import { lineItemStatus } from '../../../src/domain/orders/lineItemStatus.ts'

it.each([
  [{ accepted: 0, begun: 0, completed: 0 }, 'Open'],
  [{ accepted: 3, begun: 0, completed: 0 }, 'Open'],
  [{ accepted: 3, begun: 1, completed: 0 }, 'In Progress'],
  [{ accepted: 3, begun: 3, completed: 2 }, 'In Progress'],
  [{ accepted: 3, begun: 3, completed: 3 }, 'Completed'],
  [{ accepted: 4, begun: 3, completed: 3 }, 'In Progress'],
  [{ accepted: 1, begun: 1, completed: 1 }, 'Completed'],
] as const)('rolls %o up to %s', (counts, status) => {
  expect(lineItemStatus(counts)).toBe(status)
})
