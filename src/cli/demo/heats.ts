import { type Caller, loadEach } from './caller.ts'
import type { ExamplePlan } from './examples.ts'
import { barIdOf, planIdOf } from './plans.ts'

interface Recall {
  readonly bars: readonly { readonly cuts: readonly { readonly state: string }[] }[]
}

/** Read the heat off the steel of every bar that is being cut. Then recall the first heat, and print where its pieces are. */
export async function readHeats(caller: Caller, plans: readonly ExamplePlan[]): Promise<void> {
  const { company, companyId, planner, output } = caller
  const onSaws = plans.flatMap((plan) =>
    plan.bars.flatMap(({ status, heatNumber }, index) => {
      const barId = barIdOf(planIdOf(companyId, plan), index)
      return status === 'Started' && heatNumber ? [{ barId, heatNumber }] : []
    }),
  )
  await loadEach(
    caller,
    'heats read',
    onSaws,
    async ({ barId, heatNumber }) => {
      const bar = `${company}/production-plan-bars/${barId}`
      const { body } = await planner<{ status: string }>('GET', bar)
      // Only a quality engineer may correct a bar that was completed since.
      if (body.status === 'Started') await planner('PUT', `${bar}/certificate`, { heatNumber })
    },
    (read) => String(read.length),
  )
  const [first] = onSaws
  if (!first) return
  const heatNumber = encodeURIComponent(first.heatNumber)
  const { body } = await planner<Recall>('GET', `${company}/recalls?heatNumber=${heatNumber}`)
  output.write(`recall of heat ${first.heatNumber}: ${recallText(body)}\n`)
}

function recallText({ bars }: Recall): string {
  const pieces = Map.groupBy(
    bars.flatMap(({ cuts }) => cuts),
    ({ state }) => state,
  )
  const counts = [...pieces].map(([state, those]) => `${those.length} ${state}`)
  return `${counts.join(', ')} (pieces on ${bars.length} ${bars.length === 1 ? 'bar' : 'bars'})`
}
