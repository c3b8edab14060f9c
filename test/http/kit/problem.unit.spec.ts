import { expect, it } from 'vitest'
import { problemOf } from '../../../src/http/kit/problem.ts'
import { Failure } from '../../../src/lib/failure.ts'

it('names the setting without which there is no store of documents', () => {
  const missing = problemOf(new Failure('objects-not-set', 'the operator has to set DOCUMENTS_URL'))
  expect([missing.code, missing.message]).toEqual([
    'documents-unavailable',
    expect.stringContaining('has to set DOCUMENTS_URL'),
  ])
  expect(problemOf(new Failure('objects-unavailable', 'away')).message).not.toContain('DOCUMENTS_URL')
})
