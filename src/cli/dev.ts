import { requireDevFile } from './runningService.ts'

/** `npm run -s dev` prints the addresses and clients of the service that `npm start` runs here, as JSON. */
try {
  process.stdout.write(`${JSON.stringify(requireDevFile(process.env))}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
