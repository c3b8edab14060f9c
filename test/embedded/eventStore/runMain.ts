import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { nodeMain } from '../../support/node.ts'

/** The output of a process that has ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the node's program to its end: for a start that fails. */
export function runMain(...args: string[]): Promise<Ended> {
  return runProgram(process.execPath, [nodeMain, ...args])
}

export async function runProgram(program: string, args: string[]): Promise<Ended> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}
