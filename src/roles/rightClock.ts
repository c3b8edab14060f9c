import { differsBy, type Skew, tolerableSkewMs } from '../clockSkew.ts'
import type { Executor } from '../commands/command.ts'
import { Refusal } from '../domain/refusal.ts'

/** Refuse commands while the clock of this node is wrong: the times that it would record never change. */
export function recordByRightClock(executor: Executor, clockSkew: () => Skew | undefined): Executor {
  const refuseWrongClock = () => {
    const skew = clockSkew()
    if (skew && differsBy(tolerableSkewMs, skew)) throw clocksDiffer(skew)
  }
  return {
    async execute(command, context) {
      refuseWrongClock()
      return executor.execute(command, context)
    },
    async check(check, context) {
      refuseWrongClock()
      return executor.check(check, context)
    },
  }
}

function clocksDiffer({ ms }: Skew): Refusal {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const direction = ms < 0 ? 'behind' : 'ahead of'
  return new Refusal(
    'clocks-differ',
    `PostgreSQL's clock is ${minutes} minutes ${direction} this node's, so nothing was recorded. An operator must set both clocks by the same time server.`,
  )
}
