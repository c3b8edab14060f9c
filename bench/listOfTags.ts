import type { GetResult, GetTask } from './getLoad.ts'
import { type MeasuredService, residentMiB, runLoad, startPeer, startService } from './processes.ts'
import { type Figure, median } from './report.ts'
import { send } from './request.ts'

/** Compares a GET of 200 tags, with a verified token over 16 connections, with peers that answer the same. */

const section = 'list of 200 tags'
const connections = 16
const seconds = 4
const rounds = 3

export async function listOfTags(): Promise<Figure[]> {
  const service = await startService()
  const stops: (() => Promise<unknown>)[] = [service.stop]
  try {
    const { company, editor, certificateId } = await prepare(service)
    const viewer = await service.token('viewer')
    const url = `${company}/millcert-tags`
    const headers = { authorization: `Bearer ${viewer}` }
    const list = await (await fetch(url, { headers })).text()
    const tags = JSON.parse(list) as { tagId: string }[]
    const issuer = JSON.parse(Buffer.from(viewer.split('.')[1]!, 'base64url').toString()).iss as string
    const { jwks_uri } = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as {
      jwks_uri: string
    }
    const constant = await startPeer('constantBytes.ts', { BYTES: String(list.length) })
    stops.push(constant.stop)
    const naive = await startPeer('naiveCrud.ts', {
      DATABASE_URL: service.dev.databaseUrl,
      JWKS_URL: jwks_uri,
      ISSUER: issuer,
      COMPANY: service.dev.companyId,
      TAGS: list,
    })
    stops.push(naive.stop)

    const idleMiB = residentMiB(service.pid)
    const get = (at: string) =>
      runLoad<GetResult>('getLoad.ts', { url: at, headers, connections, seconds } satisfies GetTask)
    const results: Record<'idle' | 'busy' | 'constant' | 'naive', GetResult[]> = {
      idle: [],
      busy: [],
      constant: [],
      naive: [],
    }
    const paces: number[] = []
    for (let round = 0; round < rounds; round++) {
      results.constant.push(await get(constant.url))
      results.idle.push(await get(url))
      const writer = assigning(
        company,
        editor,
        certificateId,
        tags.map(({ tagId }) => tagId),
        50,
      )
      results.busy.push(await get(url))
      paces.push(await writer.stop())
      results.naive.push(await get(naive.url))
    }
    const failed = Object.values(results)
      .flat()
      .reduce((sum, result) => sum + result.failed, 0)
    if (failed > 0) throw new Error(`${failed} requests failed`)
    const speed = (of: GetResult[]) => median(of.map(({ perSecond }) => perSecond))
    const against = (name: 'idle' | 'busy', peer: 'constant' | 'naive') =>
      median(results[name].map(({ perSecond }, round) => perSecond / results[peer][round]!.perSecond))
    const unit = 'requests/s'
    return [
      { section, what: `Express, constant ${list.length} bytes`, value: speed(results.constant), unit },
      { section, what: 'naive CRUD', value: speed(results.naive), unit },
      {
        section,
        what: 'Heatmark, idle',
        value: speed(results.idle),
        unit,
        ratio: { to: 'constant bytes', value: against('idle', 'constant'), aim: 0.35 },
      },
      {
        section,
        what: 'Heatmark, idle',
        value: speed(results.idle),
        unit,
        ratio: { to: 'naive CRUD', value: against('idle', 'naive'), aim: 15 },
      },
      {
        section,
        what: `Heatmark, beside ${Math.round(median(paces))} assignments/s`,
        value: speed(results.busy),
        unit,
        ratio: { to: 'constant bytes', value: against('busy', 'constant'), aim: 0.35 },
      },
      {
        section,
        what: 'Heatmark, beside assignments',
        value: speed(results.busy),
        unit,
        ratio: { to: 'naive CRUD', value: against('busy', 'naive'), aim: 15 },
      },
      {
        section,
        what: 'Heatmark, idle, p99',
        value: median(results.idle.map(({ p99Ms }) => p99Ms)),
        unit: 'ms',
      },
      { section, what: 'service process, idle', value: idleMiB, unit: 'MiB' },
      { section, what: 'service process, after', value: residentMiB(service.pid), unit: 'MiB' },
    ]
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

async function prepare({ url, dev, token }: MeasuredService) {
  const company = `${url}/api/company/${dev.companyId}`
  const editor = await token('editor')
  for (let n = 0; n < 200; n++)
    await send(`${company}/millcert-tags`, editor, 'POST', {
      name: `Tag ${String(n).padStart(3, '0')}`,
      color: '#1f77b4',
      description: 'The shop must know about this tag.',
    })
  const certificate = await send(`${company}/millcert/certificates`, await token('planner'), 'POST', {
    certificateNumber: 'B-1',
    heatNumber: 'H-1',
    grade: 'S355J2+N',
    inspectionDocument: '3.1',
  })
  return { company, editor, certificateId: certificate.millCertificationId! }
}

/** Assigns the tags in turn at a steady rate until `stop` is called, however long each assignment takes. */
function assigning(
  company: string,
  token: string,
  certificateId: string,
  tagIds: string[],
  perSecond: number,
) {
  const sent: Promise<unknown>[] = []
  const began = performance.now()
  const timer = setInterval(() => {
    const tagId = tagIds[sent.length % tagIds.length]!
    const path = `millcert-tag-assignments/${certificateId}/manual`
    sent.push(send(`${company}/${path}`, token, 'PUT', { tagIds: [tagId] }))
  }, 1_000 / perSecond)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(sent)
      return (sent.length * 1_000) / (performance.now() - began)
    },
  }
}
