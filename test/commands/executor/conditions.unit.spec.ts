import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { registerCompany, setMemberRoles } from '../../../src/commands/company/companies.ts'
import { context, createStage, refusalOf } from '../nodes.ts'

it('does not meet a condition on a record that is not there', async () => {
  const { execute } = createStage().node()
  const companyId = randomUUID()
  await execute(registerCompany(companyId, 'Yard'), context)
  const set = (ifMatch?: (revision: number) => boolean) =>
    refusalOf(
      execute(setMemberRoles({ companyId, userId: 'bob', wanted: ['Viewer'] }), {
        ...context,
        ...(ifMatch && { ifMatch }),
      }),
    )
  expect(await set(() => true)).toBe('precondition-failed')
  expect(await set()).toBe('none')
})
