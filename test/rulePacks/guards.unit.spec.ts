import { Environment } from '@marcbachmann/cel-js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guardsOf, isRuledOut } from '../../src/rulePacks/guards.ts'

const names = ['a', 'b', 'c', 'd'] as const

const language = new Environment()
for (const name of names) language.registerVariable(name, 'bool')

test('are the names that a conjunction begins with, each with the value that it needs', () => {
  const { ast } = language.parse('a && !b && (c || d) && d')
  expect(guardsOf(ast)).toEqual([
    { name: 'a', needed: true },
    { name: 'b', needed: false },
  ])
})

test.each(['a', '!a', 'a || b', '(a || b) && c', '!(a && b) && c', 'a ? b : c'])('%s has none', (source) => {
  expect(guardsOf(language.parse(source).ast)).toEqual([])
})

test('rule an expression out only where the evaluation of the whole makes it false', () => {
  const conditions = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...names),
      fc.constantFrom(...names).map((name) => `!${name}`),
      fc
        .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
        .map((parts) => `(${parts.join(' ')})`),
      fc.tuple(tie('condition'), tie('condition')).map((both) => both.join(' && ')),
    ),
  })).condition
  // A definition without a value is undefined.
  const values = fc.tuple(...names.map(() => fc.constantFrom(true, false, undefined)))
  let ruledOut = 0
  fc.assert(
    fc.property(conditions, values, (source, [...given]) => {
      const variables = new Map<string, unknown>(names.map((name, index) => [name, given[index]]))
      const parsed = language.parse(source)
      if (!isRuledOut(guardsOf(parsed.ast), variables)) return
      ruledOut += 1
      expect(parsed(variables)).toBe(false)
    }),
    // Few conditions are ruled out.
    { numRuns: 2_000 },
  )
  expect(ruledOut).toBeGreaterThan(50)
})
