import { inject } from 'vitest'

/** Ask the setup of the run for a part that starts on demand (`globalSetup.ts`). */
export async function demand<Answer>(name: 'chromium' | 'stack'): Promise<Answer> {
  const response = await fetch(`${inject('onDemandUrl')}/${name}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}
