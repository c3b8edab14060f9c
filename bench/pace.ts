import { setTimeout as pause } from 'node:timers/promises'

/** Begin `perSecond` turns of `work` every second, even while earlier turns are under way. */
export async function atRate(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  work: (turn: number) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const begun: Promise<void>[] = []
  for (let turn = 0; turn < perSecond * seconds; turn++) {
    const early = began + (turn * 1_000) / perSecond - performance.now()
    if (early > 0) await pause(early)
    begun.push(work(turn))
  }
  await Promise.all(begun)
}
