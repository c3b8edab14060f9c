import { describe, expect, it } from 'vitest'
import {
  firstVisible,
  noMetadata,
  parseMetadata,
  softDeleteMetadata,
  undelete,
} from '../../../src/embedded/eventStore/storage/streamMetadata.ts'

const parse = (json: string) => parseMetadata(Buffer.from(json))

describe('metadata', () => {
  it('are read from JSON', () => {
    const metadata = { maxAge: 60, maxCount: 5, truncateBefore: 3, softDeleted: false }
    expect(parse('{"$maxAge":60,"$maxCount":5,"$tb":3,"$acl":{}}')).toEqual(metadata)
  })

  it.each([
    '',
    'null',
    '7',
    '[',
    '{"$maxCount":0}',
    '{"$maxCount":1.5}',
    '{"$maxAge":-1}',
    '{"$tb":"1"}',
    '{"$tb":-1}',
  ])('that make no sense are none: %s', (json) => expect(parse(json)).toEqual(noMetadata))

  it('of a soft delete say so', () => {
    expect(parseMetadata(softDeleteMetadata)).toMatchObject({ softDeleted: true })
    expect(parse('{"$tb":9007199254740991}')).toMatchObject({ softDeleted: false })
  })

  it('keep all else when a stream comes back', () => {
    const back = undelete(Buffer.from('{"$tb":9223372036854775807,"note":"kept"}'), 4)
    expect(JSON.parse(Buffer.from(back!).toString())).toEqual({ $tb: 4, note: 'kept' })
    expect(undelete(Buffer.from('['), 4)).toBeUndefined()
  })
})

it.each([
  [{}, 9, 0],
  [{ maxCount: 3 }, 9, 7],
  [{ maxCount: 30 }, 9, 0],
  [{ truncateBefore: 8 }, 9, 8],
  [{ truncateBefore: 5, maxCount: 3 }, 9, 7],
  [{ truncateBefore: 8, maxCount: 3 }, 9, 8],
])('with %o a stream up to %i is seen from %i', (metadata, head, first) => {
  expect(firstVisible({ ...noMetadata, ...metadata }, head)).toBe(first)
})
