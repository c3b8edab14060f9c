import { expect, it } from 'vitest'
import {
  noMetadata,
  parseMetadata,
  softDeleteMetadata,
  undelete,
} from '../../../src/embedded/eventStore/storage/streamMetadata.ts'

function parse(json: string) {
  return parseMetadata(Buffer.from(json))
}

it('takes the first revision to show from $tb, and nothing else', () => {
  expect(parse('{"$maxCount":5,"$tb":3,"$acl":{}}')).toEqual({ truncateBefore: 3, softDeleted: false })
})

it.each(['', 'null', '7', '[', '{}', '{"$tb":"1"}', '{"$tb":1.5}', '{"$tb":-1}'])(
  'reads %j as no metadata',
  (json) => expect(parse(json)).toEqual(noMetadata),
)

it('distinguishes a soft delete from any revision that a stream can have', () => {
  expect(parseMetadata(softDeleteMetadata)).toMatchObject({ softDeleted: true })
  expect(parse('{"$tb":9007199254740991}')).toMatchObject({ softDeleted: false })
})

it('keeps all other metadata when a stream comes back', () => {
  const back = undelete(Buffer.from('{"$tb":9223372036854775807,"note":"kept"}'), 4)
  expect(JSON.parse(Buffer.from(back!).toString())).toEqual({ $tb: 4, note: 'kept' })
  expect(undelete(Buffer.from('['), 4)).toBeUndefined()
})
