import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editedContent, mergePatch, replaceMembers } from '../../../src/domain/kernel/edit.ts'

describe('a merge patch', () => {
  /** RFC 7396, appendix A: original, patch, result. */
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('turns %s by %s into %s', (original, patch, result) => {
    expect(JSON.stringify(mergePatch(JSON.parse(original), JSON.parse(patch)))).toBe(result)
  })

  it('sets and removes a member named __proto__ like any other', () => {
    const set = mergePatch(JSON.parse('{"a":1}'), JSON.parse('{"__proto__":{"b":2}}'))
    expect(JSON.stringify(set)).toBe('{"a":1,"__proto__":{"b":2}}')
    expect(Object.getPrototypeOf(set)).toBe(Object.prototype)
    expect(JSON.stringify(mergePatch(set, JSON.parse('{"__proto__":null}')))).toBe('{"a":1}')
  })

  it('changes nothing the second time, and leaves its inputs alone', () => {
    const members = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(members, members, (target, patch) => {
        const before = JSON.stringify([target, patch])
        const once = mergePatch(target, patch)
        expect(JSON.stringify(mergePatch(once, patch))).toBe(JSON.stringify(once))
        expect(JSON.stringify([target, patch])).toBe(before)
      }),
    )
  })
})

describe('replaced members', () => {
  const present = { name: 'Hold', severity: 'Block' as string | null }

  it('are those that were sent, null included; the others stay', () => {
    expect(editedContent(replaceMembers<typeof present>({ name: 'Wait' }), present)).toStrictEqual({
      name: 'Wait',
      severity: 'Block',
    })
    expect(
      editedContent(replaceMembers<typeof present>({ name: undefined, severity: null }), present),
    ).toStrictEqual({ name: 'Hold', severity: null })
  })
})

it('an edit with faults is refused with all of them', () => {
  const [own, other] = ['/a', '/b'].map((path) => ({
    path,
    code: 'wrong-format' as const,
    message: 'is wrong',
  }))
  const faulty = () => ({ content: {}, faults: [own!] })
  const refused = expect.objectContaining({ code: 'validation-failed', details: { errors: [other, own] } })
  expect(() => editedContent(faulty, {}, [other!])).toThrow(refused)
})
