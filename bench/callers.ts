import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJwt, importJWK, type JWTPayload, SignJWT } from 'jose'
import type { GetResult, GetTask } from './getLoad.ts'
import { type MeasuredService, runLoad, withService } from './processes.ts'
import { type Figure, median } from './report.ts'
import type { TokenTask } from './tokenLoad.ts'

/** Sends the same GET with a token that was verified before, with new tokens, and with an API key. */

const section = 'callers'
const connections = 16
const seconds = 4
const rounds = 3
const newTokens = 6_000

export async function createKey({ url }: MeasuredService, token: string): Promise<string> {
  const response = await fetch(`${url}/api/me/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'bench' }),
  })
  const { key } = (await response.json()) as { key: string }
  return key
}

export function callers(): Promise<Figure[]> {
  return withService(async (service) => {
    const token = await service.token('viewer')
    const key = await createKey(service, token)
    const sign = await createSigner(service, token)
    const url = `${service.url}/api/company/${service.dev.companyId}/millcert-tags`
    const get = (headers: Record<string, string>) =>
      runLoad<GetResult>('getLoad.ts', { url, headers, connections, seconds } satisfies GetTask)
    const known: GetResult[] = []
    const fresh: GetResult[] = []
    const byKey: GetResult[] = []
    for (let round = 0; round < rounds; round++) {
      const tokens: string[] = []
      for (let n = 0; n < newTokens; n++) tokens.push(await sign(`${round}-${n}`))
      known.push(await get({ authorization: `Bearer ${token}` }))
      fresh.push(await runLoad<GetResult>('tokenLoad.ts', { url, tokens, connections } satisfies TokenTask))
      byKey.push(await get({ 'service-api-key': key }))
    }
    const failed = [...known, ...fresh, ...byKey].reduce((sum, result) => sum + result.failed, 0)
    if (failed > 0) throw new Error(`${failed} requests failed`)
    const figure = (what: string, results: readonly GetResult[], aim?: number): Figure => ({
      section,
      what,
      value: median(results.map(({ perSecond }) => perSecond)),
      unit: 'requests/s',
      ...(results !== known && {
        ratio: {
          to: 'a known token',
          value: median(results.map(({ perSecond }, round) => perSecond / known[round]!.perSecond)),
          ...(aim !== undefined && { aim }),
        },
      }),
    })
    return [
      figure('a known token', known),
      figure('a new token each', fresh),
      figure('an API key', byKey, 0.3),
    ]
  })
}

/** Signs tokens with the embedded identity provider's key. The provider itself would take longer. */
async function createSigner({ dataDir }: MeasuredService, like: string) {
  const { keys } = JSON.parse(readFileSync(join(dataDir, 'identityProvider.json'), 'utf8'))
  const key = await importJWK(keys[0], 'RS256')
  const claims: JWTPayload = decodeJwt(like)
  return (jti: string): Promise<string> =>
    new SignJWT({ ...claims, jti }).setProtectedHeader({ alg: 'RS256', kid: keys[0].kid }).sign(key)
}
