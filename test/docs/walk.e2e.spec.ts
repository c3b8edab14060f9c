import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { type EmbeddedService, root, startEmbedded } from '../support/serviceProcess.ts'
import { pasteAll } from './paste.ts'

/** Pastes every command of docs/walk.md, in order, and looks for what the text beside it promises. */

const page = readFileSync(`${root}/docs/walk.md`, 'utf8')
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command!)

const dataDir = newDataDir()
let service: EmbeddedService | undefined
afterAll(async () => {
  await service?.end()
  removeDataDir(dataDir)
})

it('keeps what it promises', async () => {
  service = await startEmbedded(dataDir)
  const outputs = await pasteAll(commands, dataDir)
  expect(outputs).toHaveLength(commands.length)
  const after = (words: string) => outputs[commands.findIndex((command) => command.includes(words))]!
  const sums = after('sha256sum').match(/^[0-9a-f]{64}/gm)!
  expect(sums[0]).toBe(sums[1])
  expect(after('millcert-tag-assignments/$CERT/manual')).toContain('"blocked":true')
  expect(after('verdict')).toContain('"mayBeCut":true')
  expect(after('"millCertificationId\\": \\"$BLOCKED')).toContain('"status":409')
  expect(after('saw $FIRST;')).toMatch(/"In Progress".*"Completed"/s)
  expect(after('recalls?heatNumber')).toMatch(/"dispatched".*"cut"|"cut".*"dispatched"/s)
  expect(after('"sevrity"')).toMatch(/"status":400.*sevrity/s)
  expect(after('/explanations')).toContain('clause')
  // Two requests are refused on purpose, and no others.
  expect(outputs.join('').match(/"status":[45]\d\d/g)).toEqual(['"status":409', '"status":400'])
})
