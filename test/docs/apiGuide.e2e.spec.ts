import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDataDir, removeDataDir } from '../support/dataDir.ts'
import { type EmbeddedService, root, startEmbedded } from '../support/serviceProcess.ts'
import { pasteAll } from './paste.ts'

/** Runs every command of docs/api-guide.md in one shell, in order, and compares the answers that the page shows. */

const page = readFileSync(`${root}/docs/api-guide.md`, 'utf8')

interface Snippet {
  readonly heading: string
  readonly command: string
  /** The answer that the page shows after the command; undefined where it shows none. */
  readonly answer: string | undefined
}

const snippets: Snippet[] = [
  ...page.matchAll(/```sh\n(?<command>[\s\S]*?)```(?:\n```(?:json|text)\n(?<answer>[\s\S]*?)```)?/g),
].map(({ index, groups }) => ({
  heading: page
    .slice(0, index)
    .match(/^#+ .*$/gm)!
    .at(-1)!,
  command: groups!.command!,
  answer: groups!.answer,
}))

const dataDir = newDataDir()
let service: EmbeddedService
let outputs: readonly string[]

beforeAll(async () => {
  service = await startEmbedded(dataDir)
  outputs = await pasteAll(
    snippets.map(({ command }) => command),
    dataDir,
  )
})

afterAll(async () => {
  await service?.end()
  removeDataDir(dataDir)
})

/** A shown answer matches whatever the white space, and … stands for anything. */
function patternOf(answer: string): RegExp {
  const parts = answer.replaceAll(/\s/g, '').split('…')
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`,
    'u',
  )
}

describe('the API guide', () => {
  it('shows answers to most of its commands', () => {
    expect(snippets.filter(({ answer }) => answer !== undefined).length).toBeGreaterThanOrEqual(8)
  })

  it.each(snippets.map(({ heading, answer }, index) => ({ heading, answer, index })))(
    'gives the answer that it shows under $heading, command $index',
    ({ answer, index }) => {
      const output = outputs[index] ?? 'the shell ended before this command'
      if (answer === undefined) expect(output).toBe('')
      else expect(output.replaceAll(/\s/g, '')).toMatch(patternOf(answer))
    },
  )
})
