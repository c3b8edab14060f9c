import fc from 'fast-check'
import type { PackContent } from '../../../src/rulePacks/rulePack.ts'
import { ownDocument } from '../ownDocument.ts'

/** Rule packs as a hostile company may write them: some are refused, the others cost much. */

type Kind = 'text' | 'list' | 'number' | 'flag'
type Text = fc.Arbitrary<string>

/** An expression of a kind. Within a macro over the lines of an order, it may use `line`. */
function expressionOf(kind: Kind, depth: number, isInLine = false): Text {
  const of = (other: Kind, inLine = isInLine) => expressionOf(other, depth - 1, inLine)
  const joined = (...parts: (Text | string)[]) =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
      .map((all) => all.join(''))
  const ofLine = (...names: string[]) => (isInLine ? names : [])
  const literal = fc.string({ maxLength: 202 }).map((value) => JSON.stringify(value))
  const leaves: Record<Kind, Text> = {
    text: fc.oneof(
      literal,
      fc.constantFrom(
        'order.orderNumber',
        'order.customer',
        'text0',
        ...ofLine('line.description', 'line.grade'),
      ),
    ),
    list: fc.constantFrom('words', 'unread', 'subscribed', '["S355J2", "x"]', '"a b c".split(" ")'),
    number: fc.constantFrom(
      '1.0',
      '-1e308',
      'double(size(text0))',
      ...ofLine('line.lengthMm', 'line.quantity'),
    ),
    flag: fc.constantFrom('true', 'has(order.customer)', '"x" in subscribed', ...ofLine('line.cancelled')),
  }
  if (depth === 0) return leaves[kind]
  const branches: Record<Kind, readonly Text[]> = {
    text: [
      joined('(', of('text'), ' + ', of('text'), ')'),
      joined(of('text'), fc.constantFrom('.upperAscii()', '.trim()', '.substring(1)')),
      joined('string(', of('number'), ')'),
      joined('(', of('flag'), ' ? ', of('text'), ' : ', of('text'), ')'),
      joined(of('list'), '[0]'),
    ],
    list: [
      joined(of('text'), '.split(', of('text'), ')'),
      joined('(', of('list'), ' + ', of('list'), ')'),
      joined(of('list'), '.filter(word, ', of('flag'), ')'),
      joined(of('list'), '.map(word, ', of('text'), ' + word)'),
      joined('order.lineItems.map(line, ', of('text', true), ')'),
    ],
    number: [
      joined('(', of('number'), fc.constantFrom(' + ', ' * ', ' / '), of('number'), ')'),
      joined('rounded(', of('number'), ', 0.1)'),
      joined('double(', of('text'), ')'),
      joined('double(size(', of('list'), '))'),
    ],
    flag: [
      joined(of('number'), fc.constantFrom(' < ', ' == '), of('number')),
      joined('(', of('text'), fc.constantFrom(' == ', ' < '), of('text'), ')'),
      joined(of('text'), fc.constantFrom('.contains(', '.endsWith(', '.matches('), of('text'), ')'),
      joined('(', of('flag'), fc.constantFrom(' && ', ' || '), of('flag'), ')'),
      joined(
        'order.lineItems.',
        fc.constantFrom('exists', 'all', 'exists_one'),
        '(line, ',
        of('flag', true),
        ')',
      ),
      joined(of('list'), '.exists(word, ', of('flag'), ' || word == ', of('text'), ')'),
      joined(of('list'), ' == ', of('list')),
      joined(of('text'), ' in ', of('list')),
    ],
  }
  return fc.oneof(leaves[kind], ...branches[kind])
}

function written(kind: Kind): Text {
  const expressions = [1, 2, 3].map((depth) => expressionOf(kind, depth))
  return fc.oneof(...expressions, ...expressions, fc.string({ minLength: 1, maxLength: 20 }))
}

/** A pack of one rule on orders, with two definitions. */
export const generatedDocument = fc
  .record({ text0: expressionOf('text', 1), words: expressionOf('list', 1), when: written('flag') })
  .map(
    ({ text0, words, when }): PackContent => ({
      id: 'fuzz',
      name: 'Fuzz',
      tags: [ownDocument.tags[1]],
      definitions: [
        {
          name: 'text0',
          family: 'order',
          about: 'A text.',
          expression: text0.replaceAll('text0', 'order.customer'),
        },
        { name: 'words', family: 'order', about: 'A list.', expression: words.replaceAll('words', 'unread') },
      ],
      rules: [{ ...ownDocument.rules[1], when: when.slice(0, 1_000) }],
    }),
  )
