import pg from 'pg'
import type { GetResult, GetTask } from './getLoad.ts'
import { type MeasuredService, runLoad, withService } from './processes.ts'
import type { Figure } from './report.ts'
import { send } from './request.ts'

/** Measures the lists that show names of persons: the history of a tag, and the members of a company. */

const section = 'lists with names'
const connections = 16
const seconds = 3
const rows = 200
const authors = ['admin', 'editor']

export function namedLists(): Promise<Figure[]> {
  return withService(async (service) => {
    const { history, members } = await prepare(service)
    const headers = { authorization: `Bearer ${await service.token('admin')}` }
    const figures: Figure[] = []
    const measure = async (what: string, url: string) => {
      const task: GetTask = { url, headers, connections, seconds }
      const { perSecond, p99Ms, failed } = await runLoad<GetResult>('getLoad.ts', task)
      if (failed > 0) throw new Error(`${failed} requests failed`)
      figures.push({ section, what, value: perSecond, unit: 'requests/s' })
      figures.push({ section, what: `${what}, p99`, value: p99Ms, unit: 'ms' })
    }
    await measure(`history, 50 of ${rows} changes`, `${history}?limit=50`)
    await measure(`history, all ${rows} changes`, history)
    await measure(`members, 50 of ${rows}`, `${members}?limit=50`)
    await measure(`members, all ${rows}`, members)
    return figures
  })
}

/** Change a tag by several people, and admit members of whom the company knows the names. */
async function prepare({ url, dev, token }: MeasuredService): Promise<{ history: string; members: string }> {
  const company = `${url}/api/company/${dev.companyId}`
  const tokens = await Promise.all(authors.map((author) => token(author)))
  const [admin, editor] = tokens as [string, string]
  const { tagId } = await send(`${company}/millcert-tags`, editor, 'POST', { name: 'Hold', color: '#1f77b4' })
  const tag = `${company}/millcert-tags/${tagId}`
  for (let n = 1; n < rows; n++)
    await send(tag, tokens[n % 2]!, 'PUT', { name: `Hold ${n}`, color: '#1f77b4' })
  const members = `${company}/members`
  for (let n = 0; n < rows; n++) await send(`${members}/member-${n}`, admin, 'PUT', { roles: ['Viewer'] })
  await nameMembers(dev.databaseUrl)
  return { history: `${tag}/history`, members }
}

/** Give each member a name, as if all had given a command. A release that keeps names in its events has no such table. */
async function nameMembers(databaseUrl: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const { rows: found } = await database.query("SELECT to_regclass('heatmark_local.person') AS person")
  if (found[0].person !== null)
    await database.query(
      `INSERT INTO heatmark_local.person (store_id, company_id, user_id, name, salt, name_hash)
       SELECT store_id, company_id, 'member-' || n, 'Member ' || n, 's', 'h'
       FROM (SELECT store_id, company_id FROM heatmark_local.person LIMIT 1) known, generate_series(0, $1) n`,
      [rows - 1],
    )
  await database.end()
}
