import { expect, it } from 'vitest'
import { ObjectsNotSet, ObjectsUnavailable } from '../../../src/documents/objects.ts'
import { problemOf } from '../../../src/http/kit/problem.ts'

it('names the setting without which there is no store of documents', () => {
  const missing = problemOf(new ObjectsNotSet('DOCUMENTS_URL'))
  expect([missing.code, missing.message]).toEqual([
    'documents-unavailable',
    expect.stringContaining('has to set DOCUMENTS_URL'),
  ])
  expect(problemOf(new ObjectsUnavailable('away')).message).not.toContain('DOCUMENTS_URL')
})
