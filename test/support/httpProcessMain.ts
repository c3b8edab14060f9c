import { pino } from 'pino'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service.ts'

/** The service. Without a bucket, its documents are in the folder that is its argument. It prints its address. */

const [folder] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const given = readConfig(process.env as Record<string, string>)
const config = { ...given, documents: given.documents ?? { folder: folder! } }
const service = await startService(config, log, new AbortController().signal)
process.stdout.write(`${service.url}\n`)
