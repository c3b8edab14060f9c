import { randomUUID } from 'node:crypto'
import type { MeasuredService } from './processes.ts'
import { send } from './request.ts'

const companies = 64

/** Create a tag in each of 64 companies, all by one caller, and return the addresses of the tags and the caller's token. */
export async function prepareTags({
  url,
  token,
}: Pick<MeasuredService, 'url' | 'token'>): Promise<{ urls: string[]; bearer: string }> {
  const bearer = await token('platformAdmin')
  const urls: string[] = []
  for (let n = 0; n < companies; n++) {
    const companyId = randomUUID()
    await send(`${url}/api/companies`, bearer, 'POST', { companyId, name: `Company ${n}` })
    const tags = `${url}/api/company/${companyId}/millcert-tags`
    const { tagId } = await send(tags, bearer, 'POST', { name: 'Tag', color: '#1f77b4' })
    urls.push(`${tags}/${tagId}`)
  }
  return { urls, bearer }
}
