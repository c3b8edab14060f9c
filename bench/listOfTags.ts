import type { GetResult, GetTask } from './getLoad.ts'
import { type MeasuredService, residentMiB, runLoad, startPeer, startService } from './processes.ts'
import { type Figure, median } from './report.ts'
import { send } from './request.ts'

/** Compares a GET of 200 tags, with a verified token over 16 connections, with constant bytes from Express. */

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
    const constant = await startPeer('constantBytes.ts', { BYTES: String(list.length) })
    stops.push(constant.stop)

    const idleMiB = residentMiB(service.pid)
    const get = (at: string) =>
      runLoad<GetResult>('getLoad.ts', { url: at, headers, connections, seconds } satisfies GetTask)
    const results: Record<'idle' | 'busy' | 'constant', GetResult[]> = { idle: [], busy: [], constant: [] }
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
    }
    const failed = Object.values(results)
      .flat()
      .reduce((sum, result) => sum + result.failed, 0)
    if (failed > 0) throw new Error(`${failed} requests failed`)
    const speed = (of: GetResult[]) => median(of.map(({ perSecond }) => perSecond))
    const unit = 'requests/s'
    const heatmark = (name: 'idle' | 'busy', what: string, aim: number): Figure => {
      const ratios = results[name].map(
        ({ perSecond }, round) => perSecond / results.constant[round]!.perSecond,
      )
      const ratio = { to: 'constant bytes', value: median(ratios), aim }
      return { section, what: `Heatmark, ${what}`, value: speed(results[name]), unit, ratio }
    }
    return [
      { section, what: `Express, constant ${list.length} bytes`, value: speed(results.constant), unit },
      heatmark('idle', 'idle', 0.65),
      heatmark('busy', `beside ${Math.round(median(paces))} assignments/s`, 0.5),
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
