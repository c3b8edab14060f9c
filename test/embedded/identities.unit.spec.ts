import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { rememberedIdentities } from '../../src/embedded/identities.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heatmark-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const stored = () => readFileSync(join(folder, 'identities.json'), 'utf8')

it('are the same at every start', () => {
  const made = rememberedIdentities(folder)
  const file = stored()
  expect(rememberedIdentities(folder)).toEqual(made)
  expect(stored()).toBe(file)
})

it('get the clients that are new in a release, and keep all others', () => {
  const { clients, ...ids } = rememberedIdentities(folder)
  const { cutter: _, ...older } = clients
  writeFileSync(join(folder, 'identities.json'), JSON.stringify({ ...ids, clients: older }))
  const { clients: completed, ...kept } = rememberedIdentities(folder)
  expect(kept).toEqual(ids)
  expect(completed).toEqual({ ...older, cutter: completed.cutter })
  expect(completed.cutter.clientId).not.toBe(clients.cutter.clientId)
  expect(JSON.parse(stored()).clients.cutter).toEqual(completed.cutter)
})
