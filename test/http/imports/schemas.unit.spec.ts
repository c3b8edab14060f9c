import { expect, it } from 'vitest'
import { confirmation } from '../../../src/http/imports/schemas.ts'

const confirm = (...fields: [row: number, field: string][]) =>
  confirmation.safeParse({
    proposal: 'p',
    decisions: fields.map(([row, field]) => ({ row, field, value: 1 })),
  })

it('refuses a confirmation that decides twice about a field of a row, and names the second decision', () => {
  expect(confirm([1, 'grade'], [2, 'grade'], [1, 'tests.0.value'], [1, 'grade'])).toMatchObject({
    success: false,
    error: { issues: [{ path: ['decisions', 3, 'field'], params: { fault: 'not-unique' } }] },
  })
  expect(confirm([1, 'grade'], [2, 'grade'], [1, 'grade2'])).toMatchObject({ success: true })
})
