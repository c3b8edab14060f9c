import { expect, it } from 'vitest'
import { changedName } from '../../src/portal/kit/changedName.ts'

const names = { fieldName: (path: string) => `the ${path}`, lineName: (n: string) => `line ${n}` }

it.each([
  ['grade', 'the grade'],
  ['lineItems/10/grade', 'line 10 · the grade'],
  ['lineItems/10', 'line 10'],
  ['severities/no-certificate', 'the no-certificate'],
  ['byExecutionClass/EXC4/no-certificate', 'the no-certificate (EXC4)'],
])('names %s as people do', (field, name) => {
  expect(changedName(field, names)).toBe(name)
})
