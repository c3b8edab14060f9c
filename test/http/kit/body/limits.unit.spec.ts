import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../../../src/http/kit/body/body.ts'
import { faultsOfJson, parseJson } from '../../../../src/http/kit/body/json.ts'
import { type Line, linesOf } from '../../../../src/http/kit/body/lines.ts'

describe('a body', () => {
  const read = (size: number, headers: object) => {
    const req = Object.assign(Readable.from([Buffer.alloc(size, 'x')]), { headers })
    return readBody(req as unknown as IncomingMessage, 10)
  }

  it.each([
    ['announced', (size: number) => ({ 'content-length': String(size) })],
    ['not announced', () => ({ 'transfer-encoding': 'chunked' })],
  ])('whose size is %s may have the limit, and no byte more', async (_, headersOf) => {
    expect(await read(10, headersOf(10))).toHaveLength(10)
    await expect(read(11, headersOf(11))).rejects.toMatchObject({ code: 'body-too-large' })
  })
})

describe('lines', () => {
  const limits = { lines: 2, lineBytes: 3, bytes: 9 }
  const faultsOf = async (text: string) => {
    const lines: Line[] = await Array.fromAsync(linesOf(Readable.from([Buffer.from(text)]), limits))
    return lines.map(({ bytes, fault }) => fault ?? bytes?.toString())
  }

  it('may have each of their limits, and nothing more', async () => {
    expect(await faultsOf('abc\nabc\n')).toEqual(['abc', 'abc'])
    expect(await faultsOf('abc\n\n\n\nab')).toEqual(['abc', 'ab'])
    expect(await faultsOf('abcd\nab')).toEqual(['line-too-long', 'ab'])
    expect(await faultsOf('a\nb\nc')).toEqual(['a', 'b', 'too-many-lines'])
    expect(await faultsOf('abc\n\n\n\n\n\nx')).toEqual(['abc', 'body-too-large'])
  })
})

it('takes JSON that is nested 32 deep, and no deeper', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'end' : [nested(depth - 1)])
  expect(faultsOfJson(nested(32))).toEqual([])
  expect(faultsOfJson(nested(33))).toMatchObject([{ path: '/0'.repeat(32), code: 'out-of-bounds' }])
})

describe('the values of a body', () => {
  const codeOf = (text: string) => {
    try {
      parseJson(Buffer.from(text))
      return 'parsed'
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const repeated = (member: string, count: number) => Array(count).fill(member).join(',')

  it.each([
    ['numbers', (count: number) => `[${repeated('1', count - 1)}]`],
    ['empty arrays', (count: number) => `[${repeated('[ ]', count - 1)}]`],
    ['objects with a member', (count: number) => `[${repeated('{"a":1}', (count - 2) / 2)},1]`],
    ['texts with marks of JSON', (count: number) => `[${repeated('"[,\\",{\\\\"', count - 1)}]`],
  ])('may be 50,000, and not one more: %s', (_, body) => {
    expect(codeOf(body(50_000))).toBe('parsed')
    expect(codeOf(body(50_002))).toBe('too-many-values')
  })

  it('are not counted where the body is no JSON', () => {
    expect(codeOf(`"${','.repeat(200_000)}`)).toBe('malformed-json')
  })
})
