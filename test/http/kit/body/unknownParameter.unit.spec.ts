import { expect, it } from 'vitest'
import { z } from 'zod'
import { asParameter, check } from '../../../../src/http/kit/body/validate.ts'

it('lists the parameters of the operation beside one that it does not have', () => {
  const query = z.strictObject({ limit: z.string().optional(), cursor: z.string().optional() })
  expect(check(query, { limits: '5' }, asParameter).faults).toEqual([
    {
      path: 'limits',
      parameter: 'limits',
      code: 'unknown-parameter',
      message: 'is not known here: known are limit, cursor',
    },
  ])
})
