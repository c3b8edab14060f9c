import { parse } from 'node:querystring'
import { describe, expect, it } from 'vitest'
import type { Fault } from '../../../../src/domain/kernel/refusal.ts'
import { asParameter, check, checkBody } from '../../../../src/http/kit/body/validate.ts'
import type { Problem } from '../../../../src/http/kit/problem.ts'
import { wrongUuids } from '../../../support/jsonSchema.ts'
import { bodiesOf, type DescribedRoute, describedRoutes, forgedCursors, withBody } from './describedRoutes.ts'

/** Every single fault of an input that a route takes is found and named. */

const faultsOfBody = ({ route }: DescribedRoute, body: string | Buffer): readonly Fault[] =>
  checkBody(route.body!, Buffer.from(body), route.bodyFaults).faults
const faultsOfQuery = ({ route }: DescribedRoute, query: string): readonly Fault[] =>
  check(route.query, parse(query), asParameter).faults
const asQuery = (...pairs: (readonly [string, string])[]) =>
  `${new URLSearchParams(pairs.map((pair) => [...pair]))}`

describe.each(withBody)('$title', (described) => {
  it('names every single fault in a body', () => {
    for (const { what, body, path, wrong: code } of bodiesOf(described))
      if (code)
        expect(faultsOfBody(described, JSON.stringify(body)), what).toContainEqual({
          path,
          code,
          message: expect.any(String),
        })
  })

  it('accepts values at a bound', () => {
    for (const { what, body, path, wrong } of bodiesOf(described)) {
      if (wrong) continue
      // A member that another one excludes is wrong by its presence, whatever its value.
      const faults = faultsOfBody(described, JSON.stringify(body)).filter(
        ({ code }) => code !== 'unknown-member',
      )
      expect(
        faults.map((fault) => fault.path),
        what,
      ).not.toContain(path)
    }
  })

  it('refuses a body that is not JSON, or JSON of another kind', () => {
    const notUtf8 = Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])
    for (const body of ['', '{', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '\0', notUtf8])
      expect(() => faultsOfBody(described, body), String(body)).toThrow(
        expect.objectContaining({ code: 'malformed-json' } satisfies Partial<Problem>),
      )
    for (const body of ['null', '[]', '"x"', '1e400', '['.repeat(8_000) + ']'.repeat(8_000)])
      expect(faultsOfBody(described, body).length, body).toBeGreaterThan(0)
  })
})

it.each(describedRoutes.filter(({ pathIds }) => pathIds.length > 0))(
  'names malformed ids in the path of $title',
  ({ route, pathIds }) => {
    for (const name of pathIds)
      for (const shape of wrongUuids) {
        const { faults } = check(route.params, { [name]: shape }, asParameter)
        expect(faults, `${name}: ${shape}`).toContainEqual(
          expect.objectContaining({ path: name, parameter: name, code: 'wrong-format' }),
        )
      }
  },
)

describe.each(describedRoutes.filter(({ isPaged }) => isPaged))('$title', (described) => {
  it('names the faults of paging parameters', () => {
    for (const cursor of forgedCursors) {
      // A cursor that could be a key of this very list is one.
      const faults = faultsOfQuery(described, asQuery(['cursor', cursor]))
      if (faults.length > 0)
        expect(faults, cursor).toMatchObject([{ path: 'cursor', parameter: 'cursor', code: 'wrong-format' }])
    }
    for (const [query, name, code] of [
      ['limit=0', 'limit', 'out-of-bounds'],
      ['limit=1001', 'limit', 'out-of-bounds'],
      ['limit=-1', 'limit', 'wrong-format'],
      ['limit=1.5', 'limit', 'wrong-format'],
      ['limit=', 'limit', 'wrong-format'],
      ['limit=1e2', 'limit', 'wrong-format'],
      ['limit=1&limit=1', 'limit', 'repeated-parameter'],
      ['cursor=', 'cursor', 'wrong-format'],
      ['unknown=1', 'unknown', 'unknown-parameter'],
    ] as const)
      expect(faultsOfQuery(described, query), query).toMatchObject([{ path: name, parameter: name, code }])
  })

  it('accepts every filter, and names one with a wrong value', () => {
    const { filters } = described
    for (const { name, right, wrong } of filters) {
      expect(faultsOfQuery(described, asQuery([name, right])), name).toEqual([])
      for (const value of wrong)
        expect(
          faultsOfQuery(described, asQuery([name, value])).map(({ path }) => path),
          `${name}=${value}`,
        ).toEqual([name])
    }
    const all = faultsOfQuery(
      described,
      asQuery(...filters.map(({ name, wrong }) => [name, wrong[0]!] as const)),
    )
    expect(all.map(({ path }) => path).sort()).toEqual(filters.map(({ name }) => name).sort())
  })

  it('names a filter that is given twice, unless it may be', () => {
    for (const { name, right, isList } of described.filters) {
      const faults = faultsOfQuery(described, asQuery([name, right], [name, right]))
      expect(
        faults.map(({ path }) => path),
        name,
      ).toEqual(isList ? [] : [name])
    }
  })
})
