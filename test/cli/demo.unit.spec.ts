import { describe, expect, it } from 'vitest'
import { type ErrorCode, HeatmarkError } from '../../packages/client/src/index.ts'
import type { Client } from '../../src/cli/demo/caller.ts'
import { attachOriginals } from '../../src/cli/demo/originals.ts'
import { subscribeToRulePacks } from '../../src/cli/demo/rulePacks.ts'

const evaluation = (status: string, done = 0, total = 0) => ({ status, done, total })

/** A fake service with two subscribed rule packs. Each request finds the next of the given evaluations. */
const serviceWith = (looks: ReturnType<typeof evaluation>[][]) => {
  const written: string[] = []
  let asked = 0
  const admin: Client = async (method) => {
    expect(method).toBe('GET')
    const found = looks[Math.min(asked, looks.length - 1)]!
    asked += 1
    const body = found.map((evaluation, index) => ({ id: `pack-${index}`, subscribed: true, evaluation }))
    return { status: 200, body: body as never }
  }
  const caller = {
    companyId: 'c',
    company: '/api/company/c',
    planner: admin,
    editor: admin,
    admin,
    output: { isTTY: true, write: (text: string) => written.push(text) },
  }
  return { caller, written, asked: () => asked }
}

describe('the rule packs of the demo', () => {
  it('hold the demo until both are evaluated, while the bar shows their sum', async () => {
    const { caller, written, asked } = serviceWith([
      [evaluation('pending'), evaluation('pending')],
      [evaluation('running', 60, 100), evaluation('pending')],
      [evaluation('done', 100, 100), evaluation('running', 20, 100)],
      [evaluation('done', 100, 100), evaluation('done', 100, 100)],
    ])
    await subscribeToRulePacks(caller)
    expect(asked()).toBe(4)
    const bars = written.flatMap((text) => /evaluated .* (\d+\/\d+)$/.exec(text)?.[1] ?? [])
    expect(bars).toEqual(['0/2', '60/200', '120/200', '200/200'])
    expect(written.at(-1)).toMatch(/evaluated +200 pairs of a rule pack and a subject\n$/)
  })

  it('end the demo with advice when their evaluation makes no progress', async () => {
    const { caller } = serviceWith([[evaluation('done', 9, 9), evaluation('pending')]])
    await expect(subscribeToRulePacks(caller, 300)).rejects.toThrow(/no progress for 0\.3 s.*heatmark doctor/)
  })
})

describe('the originals of the demo', () => {
  const example = { certificateNumber: 'W 1', heatNumber: 'H 1', inspectionDocument: '3.1', grade: 'S355J2' }
  const attachWhere = async (code: ErrorCode) => {
    const { caller, written } = serviceWith([])
    const planner: Client = async (method) => {
      if (method === 'POST') throw new HeatmarkError(`503 (${code})`, { code, status: 503 })
      return { status: 200, body: { documents: [] } as never }
    }
    const subjects = { certificateIds: new Map([['W 1 H 1', 'c-1']]), orders: new Map() }
    await attachOriginals({ ...caller, planner }, [example], [], subjects)
    return written.at(-1)
  }

  it('are left out where the service has no store of documents', async () => {
    expect(await attachWhere('documents-unavailable')).toBe(
      'The demo goes on without originals: 503 (documents-unavailable)\n',
    )
  })

  it('end the demo with any other refusal', async () => {
    await expect(attachWhere('forbidden')).rejects.toThrow('503 (forbidden)')
  })
})
