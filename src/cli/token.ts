import { fetchToken, requireDevFile } from './runningService.ts'

/** `npm run -s token -- editor` prints an access token of one of the embedded clients, and nothing else. */
try {
  const [client, ...rest] = process.argv.slice(2)
  const dev = requireDevFile(process.env)
  if (!client || rest.length > 0) throw new Error(`name one client of ${Object.keys(dev.clients).join(', ')}`)
  process.stdout.write(`${await fetchToken(dev, client)}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
