import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import type { ClientName } from '../../src/embedded/identities.ts'
import { call } from '../support/call.ts'
import { type DevFile, tokenOf } from '../support/serviceProcess.ts'
import { until } from '../support/until.ts'

const members = {
  admin: 'Admin',
  editor: 'Editor',
  planner: 'Planner',
  viewer: 'Viewer',
  cutter: 'Cutter',
  quality: 'Quality',
  auditor: 'Auditor',
} as const satisfies Partial<Record<ClientName, string>>

/**
 * Register a company on a stack that others use, too, with the people of the stack as members, and return the contents
 * of `dev.json` for it.
 */
export async function registerOwnCompany(url: string, dev: DevFile): Promise<DevFile> {
  const companyId = randomUUID()
  const token = await tokenOf(dev, 'platformAdmin')
  const put = async (method: string, path: string, body: object) => {
    const { status } = await call(method, url + path, { token, body })
    expect(status, path).toBeLessThan(300)
  }
  await put('POST', '/api/companies', { companyId, name: 'Own Steel Works' })
  for (const [name, role] of Object.entries(members)) {
    const { oid } = decodeJwt<{ oid: string }>(await tokenOf(dev, name as ClientName))
    await put('PUT', `/api/company/${companyId}/members/${oid}`, { roles: [role] })
  }
  const list = `${url}/api/company/${companyId}/orders`
  for (const name of Object.keys(members)) {
    const member = await tokenOf(dev, name as ClientName)
    await until(async () => (await call('GET', list, { token: member })).status === 200)
  }
  return { ...dev, companyId }
}
