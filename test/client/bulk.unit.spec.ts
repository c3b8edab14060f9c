import { expect, it } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { type Asked, problem, scripted } from './scriptedFetch.ts'

/** Every record of a bulk request gets one result, whatever breaks on the way. */

const bulk = 'POST /api/company/{companyId}/orders/bulk'
const records = Array.from({ length: 5 }, (_, n) => ({ orderNumber: `SO ${n}`, lineItems: [] }))
const numbersIn = ({ body }: Asked) =>
  String(body)
    .split('\n')
    .filter(Boolean)
    .map((line) => Number(JSON.parse(line).orderNumber.slice(3)))

/** Answer each line with its number, some otherwise, and break off after `most`. */
function lines(most = Number.POSITIVE_INFINITY, others: Record<number, object> = {}) {
  return (asked: Asked) => {
    const numbers = numbersIn(asked).slice(0, most)
    const answers = numbers.map((n, index) => ({ line: index + 1, status: 201, id: `${n}`, ...others[n] }))
    const text = answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text))
      },
      pull(controller) {
        if (most < Number.POSITIVE_INFINITY) controller.error(new TypeError('cut off'))
        else controller.close()
      },
    })
    return new Response(stream)
  }
}

async function resultsOf({ options }: ReturnType<typeof scripted>, linesPerRequest = 3) {
  const results: [number, number, string | undefined][] = []
  for await (const { index, status, id, record } of createClient(options).bulk(bulk, records, {
    linesPerRequest,
  })) {
    expect(record).toBe(records[index])
    results.push([index, status, id])
  }
  return results
}
const all = records.map((_, n) => [n, 201, `${n}`])

it('splits records into requests, without an Idempotency-Key', async () => {
  const script = scripted(lines(), lines())
  expect(await resultsOf(script)).toEqual(all)
  expect(script.asked.map(numbersIn)).toEqual([
    [0, 1, 2],
    [3, 4],
  ])
  expect(script.asked[0]!.headers).not.toHaveProperty('Idempotency-Key')
  expect(script.asked[0]!.headers['Content-Type']).toBe('application/x-ndjson')
})

it('continues after the last answer when the connection breaks', async () => {
  const script = scripted(lines(2), new TypeError('refused'), lines(1), lines())
  expect(await resultsOf(script, 5)).toEqual(all)
  expect(script.asked.map(numbersIn)).toEqual([
    [0, 1, 2, 3, 4],
    [2, 3, 4],
    [2, 3, 4],
    [3, 4],
  ])
})

it('goes on as long as every attempt brings an answer', async () => {
  const many = Array.from({ length: 9 }, (_, n) => ({ orderNumber: `SO ${n}`, lineItems: [] }))
  const refused = { status: 429, code: 'rate-limit-exceeded' }
  const onlyFirst = many.map((_, n) =>
    lines(undefined, Object.fromEntries(many.slice(n + 1).map((_, m) => [n + 1 + m, refused]))),
  )
  const { options } = scripted(...onlyFirst)
  const found: number[] = []
  for await (const { status } of createClient(options).bulk(bulk, many)) found.push(status)
  expect(found).toEqual(many.map(() => 201))
})

it('sends lines again that were refused for now, and reports those refused for good', async () => {
  const script = scripted(
    lines(undefined, { 1: { status: 429, code: 'rate-limit-exceeded' }, 3: { status: 409, code: 'x' } }),
    lines(),
  )
  expect(await resultsOf(script, 5)).toEqual([all[0], all[2], [3, 409, '3'], all[4], all[1]])
  expect(script.asked.map(numbersIn)).toEqual([[0, 1, 2, 3, 4], [1]])
  expect(script.waitedMs).toHaveLength(1)
})

it('ends with an error when nothing is answered any more, or the request is refused', async () => {
  const silent = scripted(...Array.from({ length: 12 }, () => lines(0)))
  await expect(resultsOf(silent)).rejects.toThrow('cut off')
  expect(silent.asked).toHaveLength(6)
  await expect(resultsOf(scripted(problem(403, 'forbidden')))).rejects.toMatchObject({ code: 'forbidden' })
})

it('ends the answer when its caller stops', async () => {
  let isCancelled = false
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"line":1,"status":201}\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  const { options } = scripted(new Response(body))
  for await (const { status } of createClient(options).bulk(bulk, records)) {
    expect(status).toBe(201)
    break
  }
  expect(isCancelled).toBe(true)
})
