import { execFileSync } from 'node:child_process'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { bashCompletion } from '../../src/cli/heatmark/completion.ts'

const program = new Command('heatmark').option('--json')
program.command('status')
program.command('events').command('tail').option('--company <id>').option('--count <n>')

/** What bash offers after these words; the last is still being typed. */
function offered(...words: string[]): string[] {
  const script = `${bashCompletion(program)}
    COMP_WORDS=(heatmark "$@"); COMP_CWORD=$#
    _heatmark
    printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

it('offers the commands and options that may follow', () => {
  expect(offered('')).toEqual(['status', 'events', '--json'])
  expect(offered('e')).toEqual(['events'])
  expect(offered('events', '')).toEqual(['tail'])
  expect(offered('events', 'tail', '--co')).toEqual(['--company', '--count'])
  expect(offered('status', '')).toEqual([''])
})
