import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { ownDocument } from '../test/rulePacks/ownDocument.ts'
import { generatedDocument } from '../test/rulePacks/ownRules/generatedDocument.ts'
import type { CommandTask, LoadResult } from './commandLoad.ts'
import { evaluationOf } from './manyCertificates.ts'
import type { PacedGetTask } from './pacedGetLoad.ts'
import { type MeasuredService, runLoad, withService } from './processes.ts'
import type { Figure } from './report.ts'
import { send } from './request.ts'

/**
 * A company sends 10,000 generated expressions in packs of its own, and each is refused or evaluated on an order of 500
 * lines. Measures by how much slower the requests of another company are meanwhile. The windows without the company
 * come before, and again after, because the speed of the machine drifts.
 */

const section = 'own rules'
const expressions = 10_000
const expressionsAPack = 25
const lines = 500
const seed = 1
const windowSeconds = 5
const mostRatio = 1.2
const lookEveryMs = 20

type Pack = ReturnType<typeof packsOf>[number]

export function ownRules(): Promise<Figure[]> {
  return withService(measure)
}

async function measure(service: MeasuredService): Promise<Figure[]> {
  const requests = await requestsOfAnother(service)
  await requests()
  const before = [await requests(), await requests()]
  const meanwhile: Latencies[] = []
  let isOver = false
  const evaluating = evaluateAll(service).finally(() => {
    isOver = true
  })
  while (!isOver) meanwhile.push(await requests())
  const counts = await evaluating
  const alone = [...before, await requests(), await requests()]
  return [
    { section, what: `${expressions} expressions: evaluated`, value: counts.evaluated, unit: 'rules' },
    { section, what: 'the same: refused', value: counts.refused, unit: 'rules' },
    ...(['read', 'command'] as const).flatMap((kind) =>
      (['p50Ms', 'p99Ms'] as const).map((which) => {
        const [usual, beside] = [alone, meanwhile].map((all) => meanOf(all.map((one) => one[kind][which])))
        return {
          section,
          unit: 'ms',
          value: beside!,
          what: `${kind}s of another company, ${which.slice(0, 3)}`,
          ratio: { to: 'alone', value: beside! / usual!, most: mostRatio },
        }
      }),
    ),
  ]
}

interface Latencies {
  readonly read: LoadResult
  readonly command: LoadResult
}

/** Return a function that sends the requests of the other company for one window. */
async function requestsOfAnother({ url, dev, token }: MeasuredService): Promise<() => Promise<Latencies>> {
  const company = `${url}/api/company/${dev.otherCompanyId}`
  const outsider = await token('outsider')
  const { tagId } = await send(`${company}/millcert-tags`, outsider, 'POST', {
    name: 'Tag',
    color: '#1f77b4',
  })
  const reading: PacedGetTask = {
    url: `${company}/millcert-tags`,
    perSecond: 40,
    seconds: windowSeconds,
    headers: { authorization: `Bearer ${outsider}` },
  }
  const commanding: CommandTask = {
    urls: [`${company}/millcert-tags/${tagId}`],
    token: outsider,
    inFlight: 1,
    seconds: windowSeconds,
    perSecond: 10,
  }
  return async () => {
    const [read, command] = await Promise.all([
      runLoad<LoadResult>('pacedGetLoad.ts', reading),
      runLoad<LoadResult>('commandLoad.ts', commanding),
    ])
    if (read.failed + command.failed > 0) throw new Error('a request of the other company failed')
    return { read, command }
  }
}

/** Send pack after pack, and wait until each is evaluated. */
async function evaluateAll({ url, dev, token }: MeasuredService) {
  const company = `${url}/api/company/${dev.companyId}`
  const admin = await token('admin')
  await send(`${company}/orders`, admin, 'POST', largestOrder())
  const counts = { evaluated: 0, refused: 0 }
  for (const pack of packsOf()) {
    const evaluated = await evaluate(company, admin, pack)
    counts.evaluated += evaluated
    counts.refused += expressionsAPack - evaluated
  }
  return counts
}

/** Evaluate the rules of a pack that are not refused, and return their number. */
async function evaluate(company: string, token: string, pack: Pack): Promise<number> {
  const sound = await upload(company, token, pack)
  if (!sound) return 0
  const path = `${company}/rule-packs/${pack.id}`
  const subscribed = await request(`${path}/subscribe`, token, 'POST')
  if (!subscribed.ok) {
    const { code } = (await subscribed.json()) as { code: string }
    if (code !== 'own-rules-too-costly') throw new Error(`subscribing to ${pack.id}: ${code}`)
    await request(path, token, 'DELETE')
    return 0
  }
  const headers = { authorization: `Bearer ${token}` }
  while ((await evaluationOf(company, headers, pack.id)).status !== 'done') await pause(lookEveryMs)
  await request(`${path}/unsubscribe`, token, 'POST')
  await request(path, token, 'DELETE')
  return sound.rules.length
}

/** Add a pack without the rules that are refused. Undefined when all of them are. */
async function upload(company: string, token: string, pack: Pack): Promise<Pack | undefined> {
  const answer = await request(`${company}/rule-packs`, token, 'POST', pack)
  if (answer.ok) return pack
  const { code, errors = [] } = (await answer.json()) as { code: string; errors?: { pointer: string }[] }
  const faulty = new Set(errors.map(({ pointer }) => ruleAt(pointer)))
  if (code !== 'validation-failed' || faulty.has(undefined)) throw new Error(`adding ${pack.id}: ${code}`)
  const rules = pack.rules.filter((_, index) => !faulty.has(index))
  const definitions = pack.definitions.filter((_, index) => !faulty.has(index >> 1))
  return rules.length === 0 ? undefined : upload(company, token, { ...pack, rules, definitions })
}

/** Return the rule that a fault belongs to. Each rule has two definitions of its own. */
function ruleAt(pointer: string): number | undefined {
  const [, place, index] = /^#\/(rules|definitions)\/(\d+)/.exec(pointer) ?? []
  return index === undefined ? undefined : place === 'rules' ? Number(index) : Number(index) >> 1
}

/** Return the generated rules in packs. Each rule has definitions with names of its own. */
function packsOf() {
  const generated = fc.sample(generatedDocument, { numRuns: expressions, seed })
  return Array.from({ length: expressions / expressionsAPack }, (_, number) => {
    const documents = generated.slice(number * expressionsAPack, (number + 1) * expressionsAPack)
    const named = (text: string, n: number) => text.replaceAll(/\b(text|words)(0?)\b/g, `$1$2At${n}`)
    return {
      id: `fuzz-${number}`,
      name: `Fuzz ${number}`,
      language: 2,
      tags: [{ ...ownDocument.tags[1], name: `Fuzz ${number}` }],
      definitions: documents.flatMap(({ definitions = [] }, n) =>
        definitions.map((one) => ({
          ...one,
          name: named(one.name, n),
          expression: named(one.expression, n),
        })),
      ),
      rules: documents.map(({ rules: [rule] }, n) => ({
        ...rule!,
        ruleId: `fuzz-${number}-${n}`,
        when: named(rule!.when, n),
      })),
    }
  })
}

function largestOrder() {
  const long = 'S355J2+N '.repeat(60).slice(0, 500)
  return {
    orderNumber: 'SO-1',
    customer: long.slice(0, 200).trim(),
    lineItems: Array.from({ length: lines }, (_, n) => ({
      lineNumber: n + 1,
      grade: 'S355J2',
      lengthMm: 1_000,
      quantity: 1,
      description: long.trim(),
    })),
  }
}

function request(url: string, token: string, method: string, body: object = {}): Promise<Response> {
  return fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
