import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { notJudgedRuleId } from '../../domain/rulePacks/notJudged.ts'
import { messageOf } from '../../lib/failure.ts'
import type { RulePack } from '../compile.ts'
import { evaluateRulePack } from '../evaluate.ts'
import { checkOwnRulePack, compileOwnRulePack } from './check.ts'
import type { Evaluation, FromWorker, Outcome, Sent, ToWorker } from './messages.ts'

/**
 * The thread that checks and runs the expressions that companies have written. The service ends the thread when it
 * takes too long or too much memory.
 */

const port = parentPort!
/**
 * Compiled packs by hash. Companies with the same document share one. The size of a pack is the characters of its
 * document: each takes 30 to 100 bytes when it is compiled, so all packs fill at most half of the memory of the thread.
 */
const compiled = new LRUCache<string, RulePack>({ maxSize: 600_000 })
/** The most characters of all outcomes for one subject. They become one event for each pack. */
const maxOutcomeLength = 262_144

port.on('message', (message: ToWorker) => {
  try {
    send('check' in message ? { checked: checkOwnRulePack(message.check) } : evaluate(message.evaluate))
  } catch (error) {
    send({ failed: messageOf(error) })
  }
})
send({ ready: true })

function send(message: FromWorker): void {
  const { user, system } = process.threadCpuUsage()
  port.postMessage({ ...message, cpuMs: (user + system) / 1_000 } satisfies Sent)
}

/** @throws Error when this release cannot compile a pack, or when the outcomes are too large */
function evaluate({ packs, documents, subject, subscribed }: Evaluation): FromWorker {
  const inForce = packs.map(({ hash }) => compiled.get(hash) ?? compileFrom(documents, hash))
  const missing = packs.map(({ hash }) => hash).filter((_, index) => !inForce[index])
  if (missing.length > 0) return { missing }
  const outcomes = packs.map(({ parameters }, index) =>
    evaluateRulePack(inForce[index]!, subject, { parameters, packs: subscribed }).flatMap(
      ({ values, ...outcome }): Outcome[] => {
        if (outcome.result === 'not-matched') return []
        // Evidence refers to the company's expressions by pack and rule.
        const expression = outcome.ruleId === notJudgedRuleId ? outcome.expression : ''
        return [{ ...outcome, expression, values: values() }]
      },
    ),
  )
  const { length } = JSON.stringify(outcomes)
  if (length > maxOutcomeLength)
    throw new Error(`the outcomes have ${length} characters, but the limit is ${maxOutcomeLength}`)
  return { outcomes }
}

/** Undefined when the document is not among those that were sent. */
function compileFrom(documents: Evaluation['documents'], hash: string): RulePack | undefined {
  const document = documents[hash]
  if (!document) return undefined
  const pack = compileOwnRulePack(document, ({ part, message }) => {
    throw new Error(`${part}: ${message}`)
  })
  compiled.set(hash, pack, { size: JSON.stringify(document).length })
  return pack
}
