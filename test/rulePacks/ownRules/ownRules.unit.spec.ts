import { afterAll, describe, expect, it } from 'vitest'
import { clock } from '../../../src/lib/clocks.ts'
import { createOwnRules } from '../../../src/rulePacks/ownRules/ownRules.ts'
import type { PackContent } from '../../../src/rulePacks/rulePack.ts'
import { lineItem } from '../../domain/verdict/facts.ts'
import { ceilingMs } from '../../support/until.ts'
import { ownDocument, slowDocument } from '../ownDocument.ts'
import { certificateSubject, orderSubject } from '../shipped.ts'

/** The thread that runs the expressions of companies. */

const patient = createOwnRules(clock)
const impatient = createOwnRules(clock, { cpuMs: 1_000, wallMs: ceilingMs })
afterAll(() => Promise.all([patient.close(), impatient.close()]))

const subject = certificateSubject({ thicknessMm: 100 })
const longOrder = orderSubject({
  lineItems: Array.from({ length: 500 }, (_, n) => ({ ...lineItem(n + 1), grade: null })),
})

function inForce(document: PackContent, asked: string[] = [], hash: string = document.id) {
  return {
    hash,
    document: async () => {
      asked.push(hash)
      return document
    },
  }
}

describe('a check', () => {
  it.each(['for', 'string', 'order', 'certificate', 'edition'])(
    'refuses a table, a parameter and a definition with the name %s, which is taken',
    async (name) => {
      const about = 'Taken.'
      const { faults } = await patient.check('a', {
        ...ownDocument,
        parameters: {
          edition: { description: about, enum: ['1'], default: '1' },
          [name]: { description: about, enum: ['1'], default: '1' },
        },
        tables: { ...ownDocument.tables, [name]: { about, values: 1 } },
        definitions: [...ownDocument.definitions, { name, family: 'order', about, expression: 'true' }],
      })
      expect(faults).toContainEqual(expect.objectContaining({ path: ['tables', name], code: 'not-unique' }))
      expect(faults).toContainEqual(
        expect.objectContaining({ path: ['definitions', 1, 'name'], code: 'not-unique' }),
      )
      expect(new Set(faults.map((fault) => JSON.stringify(fault))).size).toBe(faults.length)
    },
  )
})

it('a check refuses names that hide characters', async () => {
  const [tag, ...others] = ownDocument.tags
  const tags = [{ ...tag!, name: 'Thick \u202eok' }, ...others]
  const { faults } = await patient.check('a', { ...ownDocument, name: 'Ours\u001b[2K', tags })
  expect(faults.map(({ path, code }) => [path, code])).toEqual([
    [['name'], 'wrong-format'],
    [['tags', 0, 'name'], 'wrong-format'],
  ])
})

it.each(['edition', 'constructor', 'toString'])(
  'a check counts the steps of a parameter %s',
  async (name) => {
    const each = (word: string, condition: string) => `${name}.split("").exists(${word}, ${condition})`
    const [rule] = ownDocument.rules
    const { faults } = await patient.check('a', {
      ...ownDocument,
      parameters: { [name]: { description: 'Ours.', enum: ['1'], default: '1' } },
      rules: [{ ...rule!, when: each('x', each('y', each('z', 'x == y && y == z'))) }],
    })
    expect(faults.map(({ code }) => code)).toContain('too-costly')
  },
)

it('refuses a default of a parameter that is none of its values', async () => {
  const parameters = { edition: { description: 'Ours.', enum: ['1', '2'], default: '3' } }
  const { faults } = await patient.check('a', { ...ownDocument, parameters })
  expect(faults).toEqual([
    expect.objectContaining({ path: ['parameters', 'edition', 'default'], code: 'not-one-of' }),
  ])
})

describe('an evaluation', () => {
  it('says what matches, without the expression, and asks for a document once', async () => {
    const asked: string[] = []
    const packs = [inForce(ownDocument, asked)]
    for (let n = 0; n < 3; n += 1) {
      const [outcomes] = await patient.evaluate('a', packs, { subject, subscribed: [] })
      expect(outcomes).toMatchObject([
        {
          ruleId: 'thick',
          tag: 'thick',
          result: 'matched',
          expression: '',
          explanation: 'It is 100 mm thick.',
        },
      ])
      expect(outcomes![0]!.values()).toEqual({ 'certificate.thicknessMm': 100, isThick: true })
    }
    expect(asked).toEqual(['house-limits'])
  })

  it.each([
    ['NUL of a text', '"a\\u0000b"', 'a\ufffdb'],
    ['half a character', 'certificate.grade.substring(0, 1)', '\ufffd'],
    ['halves of characters in a list', 'certificate.grade.split("")', ['\ufffd', 'x']],
    ['a whole number', 'size(certificate.grade)', 2],
    ['a number that no double holds', 'double("1e400")', null],
  ])('keeps as evidence what an event can hold: %s', async (_, expression, kept) => {
    const about = 'A value that the rule reads.'
    const [rule, ...others] = ownDocument.rules
    const pack = inForce(
      {
        ...ownDocument,
        definitions: [...ownDocument.definitions, { name: 'seen', family: 'millCert', about, expression }],
        rules: [{ ...rule, when: 'isThick && [seen].size() == 1', explanation: 'It is {seen}.' }, ...others],
      },
      [],
      expression,
    )
    const hostile = certificateSubject({ thicknessMm: 100, grade: '\u{1f600}x' })
    const [outcomes] = await patient.evaluate('a', [pack], { subject: hostile, subscribed: [] })
    expect(outcomes![0]!.values().seen).toEqual(kept)
    expect(outcomes![0]!.explanation).toBe(`It is ${[kept].flat().map(String).join(', ')}.`)
  })

  it('that takes too long is ended with all others of its company; another company goes on', async () => {
    const slow = [1, 2].map(() =>
      impatient.evaluate('a', [inForce(slowDocument)], { subject: longOrder, subscribed: [] }),
    )
    const other = impatient.evaluate('b', [inForce(ownDocument)], { subject, subscribed: [] })
    for (const one of slow) await expect(one).rejects.toThrow('took more than 1000 ms of CPU time')
    expect(await other).toMatchObject([[{ ruleId: 'thick' }]])
  })

  it('that has not begun at the end of its turn never begins', async () => {
    const turn = new AbortController()
    const first = patient.evaluate('a', [inForce(ownDocument)], {
      subject,
      subscribed: [],
      turn: turn.signal,
    })
    const second = patient.evaluate('a', [inForce(ownDocument)], {
      subject,
      subscribed: [],
      turn: turn.signal,
    })
    turn.abort(new Error('the turn is over'))
    expect(await first).toHaveLength(1)
    await expect(second).rejects.toThrow('the turn is over')
  })

  it('is refused while 200 requests of its company wait, and does not keep another company waiting', async () => {
    const order: string[] = []
    const ask = (companyId: string) =>
      patient
        .evaluate(companyId, [inForce(ownDocument)], { subject, subscribed: [] })
        .then(() => order.push(companyId))
    const many = Array.from({ length: 202 }, () =>
      ask('a').catch(({ message }: Error) => order.push(message)),
    )
    await ask('b')
    expect(order.filter((one) => one === 'a').length).toBeLessThan(5)
    await Promise.all(many)
    expect(order).toHaveLength(203)
    expect(order).toContain('200 requests of the company are waiting already')
  })

  it('never fails because of the packs of other companies, however much memory they take', async () => {
    const when = `certificate.thicknessMm > 80.0${'||!!!!true'.repeat(30)}`
    const rules = Array.from({ length: 99 }, (_, n) => ({
      ...ownDocument.rules[0],
      ruleId: `dense-${n}`,
      when,
    }))
    // Together they take more than the 128 MiB of the thread.
    for (let n = 0; n < 40; n += 1) {
      const pack = inForce({ ...ownDocument, rules: [...rules, ownDocument.rules[1]] }, [], `dense-${n}`)
      const [outcomes] = await patient.evaluate(`company-${n}`, [pack], { subject, subscribed: [] })
      expect(outcomes).toHaveLength(99)
    }
  })

  it('is followed by a rest as long as it took, but its answer does not wait for the rest', async () => {
    let now = 0
    // Each evaluation takes 40 ms by this clock.
    const pacing = createOwnRules(() => (now += 40))
    const evaluate = () => pacing.evaluate('a', [inForce(ownDocument)], { subject, subscribed: [] })
    await evaluate()
    const answeredAt = performance.now()
    await evaluate()
    expect(performance.now() - answeredAt).toBeGreaterThan(35)
    await pacing.close()
  })

  it('fails alone when this release cannot compile the document', async () => {
    const newer = { ...ownDocument, rules: [{ ...ownDocument.rules[0], when: 'tomorrow()' }] }
    await expect(
      patient.evaluate('a', [inForce(newer, [], 'newer')], { subject, subscribed: [] }),
    ).rejects.toMatchObject({ code: 'rules-not-evaluated' })
    expect(await patient.evaluate('a', [inForce(ownDocument)], { subject, subscribed: [] })).toHaveLength(1)
  })
})
