import { describe, expect, it } from 'vitest'
import { inputAsOf } from '../../src/portal/api/inputAsOf.ts'

const asked = { params: { companyId: 'c' }, query: { limit: 500 } }

describe('a read', () => {
  it('of now is repeated', () => {
    expect(inputAsOf(undefined, { takesAsOf: true, asked, every: 2_000 })).toEqual({ asked, repeat: 2_000 })
  })

  it('of an earlier time names the moment, and is never repeated', () => {
    expect(inputAsOf('17', { takesAsOf: true, asked, every: 2_000 })).toEqual({
      asked: { ...asked, query: { limit: 500, asOf: '17' } },
      repeat: false,
    })
  })

  it('names no moment to an operation that knows only the present', () => {
    expect(inputAsOf('17', { takesAsOf: false, asked, every: 2_000 })).toEqual({ asked, repeat: false })
  })
})
