import { fetchToken, requireDevFile } from '../runningService.ts'
import type { Output } from './output.ts'

/** Print an access token of this client of the embedded stack, and nothing else. */
export async function printToken(client: string, env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const token = await fetchToken(requireDevFile(env), client)
  output.record({ token }, token)
}
