import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Logger, pino } from 'pino'

/** Keeps the logs of every service of the run, and at the end searches them for tokens, keys and secrets. */

/** The run's setup sets this for the workers. Without it nothing is kept. */
const variable = 'TEST_LOG_DIR'

/** Each has a kind, so that a report need not repeat the secret. */
export const secrets: Readonly<Record<string, RegExp>> = {
  // The prefix of a key, its first nine characters, is no secret.
  'an API key': /hmk_[0-9A-Za-z]{6}/,
  'an access token': /eyJ[\w-]{8,}\.[\w-]{8,}/,
  'a client secret': /client_?secret/i,
  "a database's password": /postgres(?:ql)?:\/\/[^\s:@/]+:[^\s@]+@/,
}

export function secretsIn(text: string): string[] {
  return Object.entries(secrets).flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []))
}

/** Lines are written some dozen at a time: a write for each takes a tenth of the time of many specs. */
const bufferedBytes = 8_192

const destinations = new Set<ReturnType<typeof pino.destination>>()

/** Create a log at its most detailed level, and return it with its lines. */
export function suiteLog(): { log: Logger; written: () => string } {
  const file = newFile()
  if (!file) return { log: pino({ level: 'silent' }), written: () => '' }
  const destination = pino.destination({ dest: file, sync: true, minLength: bufferedBytes })
  destinations.add(destination)
  const written = () => {
    destination.flushSync()
    return readFileSync(file, 'utf8')
  }
  return { log: pino({ level: 'trace' }, destination), written }
}

/** Write what the logs of this process still hold back. */
export function writeLogs(): void {
  for (const destination of destinations) destination.flushSync()
}

/** Keep the output of a service in another process. */
export function keepLog(text: string): void {
  const file = newFile()
  if (file) appendFileSync(file, text)
}

/** Begin to keep logs. The returned function ends this, and throws if a log has a secret. */
export function collectLogs(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-logs-'))
  process.env[variable] = folder
  return () => {
    const found = readdirSync(folder).flatMap((name) => secretsOfFile(join(folder, name)))
    if (found.length === 0) return rmSync(folder, { recursive: true })
    // An error thrown here is shown, but the run would still count as passed.
    process.exitCode = 1
    throw new Error(`the logs in ${folder} hold secrets:\n  ${found.join('\n  ')}`)
  }
}

/** Most files hold no secret, so lines are looked at only in those that do. */
function secretsOfFile(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (secretsIn(text).length === 0) return []
  const lines = text.split('\n')
  return lines.flatMap((line, index) =>
    secretsIn(line).map((kind) => `${kind} in ${basename(file)}:${index + 1}`),
  )
}

function newFile(): string | undefined {
  const folder = process.env[variable]
  if (!folder) return undefined
  mkdirSync(folder, { recursive: true })
  return join(folder, `${randomUUID()}.log`)
}
