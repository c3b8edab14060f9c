import type { AppendTask } from './appendLoad.ts'
import type { CommandTask, LoadResult } from './commandLoad.ts'
import { countWork } from './countWork.ts'
import { cpuTimes, parts, spent } from './cpuTimes.ts'
import { rest } from './inspector.ts'
import { type MeasuredService, runLoad, withService } from './processes.ts'
import type { Figure } from './report.ts'
import { prepareTags } from './tags.ts'

/**
 * The CPU time that a tag update takes, by process, and what is done for it: the events that are decoded, the statements,
 * the times that PostgreSQL waits for the disk, and the texts of JSON. The load runs in a process that does not count.
 */

const section = 'costs'
const seconds = 4
/** The kernel counts CPU in ticks of 10 ms. */
const idleSeconds = 30
const countedCommands = 200

export function costs(): Promise<Figure[]> {
  return withService(async (service) => {
    const { urls, bearer } = await prepareTags(service)
    const figures: Figure[] = []
    const command = (inFlight: number, forSeconds = seconds, async = false) =>
      runLoad<LoadResult>('commandLoad.ts', {
        urls,
        token: bearer,
        inFlight,
        seconds: forSeconds,
        async,
      } satisfies CommandTask)
    const append = () =>
      runLoad<LoadResult>('appendLoad.ts', {
        url: service.dev.eventStoreUrl,
        inFlight: 1,
        seconds,
      } satisfies AppendTask)
    // Warm up, so that no compilation is measured.
    await command(8, 2)
    figures.push(...(await timed(service, 'tag update, 1 in flight', () => command(1))))
    figures.push(...(await timed(service, 'tag update, respond-async', () => command(1, seconds, true))))
    figures.push(...(await timed(service, 'tag update, 64 in flight', () => command(64))))
    figures.push(...(await timed(service, 'bare append, 1 in flight', append)))
    figures.push(...(await idle(service)))
    const { ofOne, idleStatements } = await countWork(service, urls[0]!, bearer, countedCommands)
    figures.push(figure('idle for a second: statements', idleStatements, 'times'))
    for (const [what, value] of ofOne)
      figures.push({ section, what: `one tag update: ${what}`, value, unit: 'times' })
    return figures
  })
}

/** The CPU time of each part for one turn of a load. */
async function timed(
  { pid }: MeasuredService,
  load: string,
  run: () => Promise<LoadResult>,
): Promise<Figure[]> {
  const before = cpuTimes(pid)
  const { perSecond, p50Ms, failed } = await run()
  // The projector and the policies finish.
  await rest(500)
  const took = spent(before, cpuTimes(pid))
  if (failed > 0) throw new Error(`${failed} turns of "${load}" failed or were pending`)
  const turns = perSecond * seconds
  const ofPart = parts.map((part) => figure(`${load}: CPU of ${part}`, took[part] / turns, 'ms'))
  const sum = parts.reduce((all, part) => all + took[part], 0) / turns
  return [
    ...ofPart,
    figure(`${load}: CPU`, sum, 'ms'),
    figure(`${load}: p50`, p50Ms, 'ms'),
    figure(`${load}: rate`, perSecond, '/s'),
  ]
}

async function idle({ pid }: MeasuredService): Promise<Figure[]> {
  const before = cpuTimes(pid)
  await rest(idleSeconds * 1_000)
  const took = spent(before, cpuTimes(pid))
  const sum = parts.reduce((all, part) => all + took[part], 0)
  return [figure('idle for a second: CPU', sum / idleSeconds, 'ms')]
}

function figure(what: string, value: number, unit: string): Figure {
  return { section, what, value, unit }
}
