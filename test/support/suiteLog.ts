import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'

/**
 * What every service of the whole run logs, kept until the end of the run and searched then: no token, key or
 * secret is ever in it.
 */

/** Set for the workers by the run's setup; without it nothing is kept. */
const variable = 'TEST_LOG_DIR'

/** Of kinds, so that a find can be told without telling what was found. */
export const secrets: Readonly<Record<string, RegExp>> = {
  // The prefix of a key, its first nine characters, is no secret.
  'an API key': /hmk_[0-9A-Za-z]{6}/,
  'an access token': /eyJ[\w-]{8,}\.[\w-]{8,}/,
  'a client secret': /client_?secret/i,
  "a database's password": /postgres(?:ql)?:\/\/[^\s:@/]+:[^\s@]+@/,
}

export const secretsIn = (text: string): string[] =>
  Object.entries(secrets).flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []))

const newFile = (): string | undefined => {
  const folder = process.env[variable]
  if (!folder) return undefined
  mkdirSync(folder, { recursive: true })
  return join(folder, `${randomUUID()}.log`)
}

/** A log at its most talkative, and what has been written to it. */
export const suiteLog = (): { log: Logger; written: () => string } => {
  const file = newFile()
  if (!file) return { log: pino({ level: 'silent' }), written: () => '' }
  const log = pino({ level: 'trace' }, pino.destination({ dest: file, sync: true }))
  return { log, written: () => readFileSync(file, 'utf8') }
}

/** Keeps what a service of another process has said. */
export const keepLog = (text: string): void => {
  const file = newFile()
  if (file) appendFileSync(file, text)
}

/** Begins to keep logs, and answers what ends it: it throws if any of them has a secret. */
export const collectLogs = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-logs-'))
  process.env[variable] = folder
  return () => {
    const found = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .flatMap((line, index) => secretsIn(line).map((kind) => `${kind} in ${name}:${index + 1}`)),
    )
    if (found.length === 0) return rmSync(folder, { recursive: true })
    // What is thrown here is shown, but the run would still count as passed.
    process.exitCode = 1
    throw new Error(`the logs in ${folder} hold secrets:\n  ${found.join('\n  ')}`)
  }
}
