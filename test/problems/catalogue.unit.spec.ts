import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conflict, Refusal } from '../../src/domain/kernel/refusal.ts'
import { Problem } from '../../src/http/kit/problem.ts'
import { declarationOf, problemCodes } from '../../src/problems/catalogue.ts'

const src = new URL('../../src/', import.meta.url).pathname

/** The text of every source file outside the catalogue. */
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('problems/'))
  .map((path) => readFileSync(join(src, path), 'utf8'))
  .join('\n')

describe.each(problemCodes)('%s', (code) => {
  const { status, title, meaning, occurs, remedy } = declarationOf(code)

  it('is used by the service', () => {
    expect(sources).toContain(`'${code}'`)
  })

  it('is a short lower-case name that a URL can hold, with an error status', () => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
  })

  it('is explained in sentences', () => {
    expect(title).toMatch(/^[A-Z].{5,70}[^.]$/)
    for (const text of [meaning, occurs, remedy]) expect(text).toMatch(/^[A-Z`].{10,}\.$/s)
  })
})

it('has no two codes with the same title', () => {
  const titles = problemCodes.map((code) => declarationOf(code).title)
  expect(new Set(titles).size).toBe(titles.length)
})

it('accepts only declared codes, each with its members', () => {
  // @ts-expect-error: there is no such code.
  expect(() => new Refusal('no-such-code', 'x')).toThrow(TypeError)
  // @ts-expect-error: there is no such code.
  expect(() => new Problem('no-such-code', 'x')).toThrow(TypeError)
  // @ts-expect-error: the code has another status.
  expect(conflict('forbidden', 'x').status).toBe(403)
  // @ts-expect-error: the member is missing.
  expect(new Refusal('bar-completed', 'x').details).toEqual({})
  // @ts-expect-error: the code has no such member.
  expect(new Refusal('bar-completed', 'x', { state: 'Completed', barId: 'y' }).status).toBe(409)
})
