import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyCompanyExport } from '../../../examples/verify/verifyCompanyExport.ts'
import { openExport } from '../../../examples/verify/verifyExport.ts'
import { sweepDocuments } from '../../../src/cli/heatmark/documents.ts'
import { createOutput } from '../../../src/cli/heatmark/output.ts'
import { openStores } from '../../../src/cli/heatmark/stores.ts'
import { readConfig } from '../../../src/config/config.ts'
import { openObjects } from '../../../src/documents/place.ts'
import type { CompanyExport } from '../../../src/proofs/companyExports/rows.ts'
import { connectPostgres, type Postgres } from '../../../src/stores/postgres/postgres.ts'
import { startBucket } from '../../support/bucket.ts'
import { startHttpProcess } from '../../support/httpProcess.ts'
import { isFullRun, sized } from '../../support/size.ts'
import { startTestService, type TestService } from '../../support/testService.ts'
import { until } from '../../support/until.ts'

/** A process that is killed while it writes the export of a company: another one begins anew, and nothing half done is offered. */

/** A place for documents, and how to see an export that is being written there. */
interface Place {
  readonly settings: Readonly<Record<string, string>>
  /** The ids of uploads that have begun and not ended. */
  unfinished(): Promise<readonly string[]>
  stop(): Promise<void>
}

async function bucket(): Promise<Place> {
  const { settings, stop } = await startBucket()
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) process.env[name] = settings[name]!
  const client = new S3Client({
    region: 'us-east-1',
    forcePathStyle: true,
    endpoint: settings.DOCUMENTS_ENDPOINT!,
  })
  return {
    settings: { ...settings, AWS_REGION: 'us-east-1' },
    async unfinished() {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'documents' }))
      return Uploads.map(({ UploadId }) => UploadId!)
    },
    async stop() {
      client.destroy()
      await stop()
    },
  }
}

/** While a spec holds this lock, no run succeeds. */
const heldEnds = 4711

const folderPlace = async (): Promise<Place> => ({
  settings: {},
  unfinished: async () => [],
  stop: async () => {},
})

describe.each([
  ['a folder', folderPlace, sized(1, 10)],
  ['a bucket', bucket, sized(1, 10)],
])('exports in %s', (placeName, openPlace, kills) => {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-killed-'))
  let place: Place
  let service: TestService
  let postgres: Postgres
  beforeAll(async () => {
    place = await openPlace()
    service = await startTestService(place.settings)
    postgres = connectPostgres({ url: service.settings.DATABASE_URL!, name: 'spec', size: 2 })
    await postgres.query(
      `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${heldEnds}); RETURN NEW; END $$;
       CREATE TRIGGER hold BEFORE UPDATE ON heatmark_local.company_run
         FOR EACH ROW WHEN (NEW.status = 'succeeded') EXECUTE FUNCTION hold()`,
    )
    // Larger than one part of an upload to a bucket.
    for (let file = 0; file < 2; file += 1)
      await store(Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(4e6)]))
  })
  afterAll(async () => {
    await postgres?.close()
    await service?.stop()
    await place?.stop()
    rmSync(folder, { recursive: true })
  })

  const tokenOf = async (oid: string) => `Bearer ${await service.identity.token({ oid })}`

  async function store(file: Buffer): Promise<void> {
    const { status } = await fetch(`${service.url}/api/company/${service.companyId}/documents`, {
      method: 'POST',
      body: new Uint8Array(file),
      headers: { authorization: await tokenOf('planner'), 'content-type': 'application/pdf' },
    })
    expect(status).toBe(201)
  }

  /** Open the objects as the service does. */
  async function withObjects<Result>(
    use: (objects: Awaited<ReturnType<typeof openObjects>>) => Promise<Result>,
  ): Promise<Result> {
    const { documents } = readConfig({ ...service.settings })
    const objects = await openObjects(documents ?? { folder: service.documentsFolder })
    try {
      return await use(objects)
    } finally {
      objects.close()
    }
  }
  const exportsStored = () =>
    withObjects(async (objects) => {
      const keys: string[] = []
      for await (const { key } of objects.list('exports/')) keys.push(key)
      return keys.sort()
    })
  /** The objects of exports, finished or not. */
  const files = async () => [...(await exportsStored()), ...(await place.unfinished())]

  const find = async (runId: string) => (await service.send('admin', 'GET', `runs/${runId}`)).body

  /** The moments of a kill. Each begins a run, kills its process when the moment has come, and returns the run. */
  const moments: readonly ((
    beginRun: () => Promise<string>,
    kill: () => Promise<void>,
    before: readonly string[],
  ) => Promise<string>)[] = [
    async (beginRun, kill, before) => {
      const runId = await beginRun()
      await until(async () => (await files()).some((file) => !before.includes(file)))
      await kill()
      return runId
    },
    // Between the file and the row that names it.
    (beginRun, kill) =>
      postgres.transaction(async ({ query }) => {
        await query(`SELECT pg_advisory_xact_lock(${heldEnds})`)
        const runId = await beginRun()
        const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
        await until(async () => (await query(`SELECT ${waiting}`)).length > 0)
        await kill()
        // Otherwise PostgreSQL would still carry out the last statement of the process.
        await query(`SELECT pg_terminate_backend(pid) ${waiting}`)
        await until(async () => (await query(`SELECT ${waiting}`)).length === 0)
        // The service of this spec would begin it again 30 s after the kill.
        await query(
          "UPDATE heatmark_local.company_run SET updated_at = now() + interval '1 hour' WHERE run_id = $1",
          [runId],
        )
        return runId
      }),
    async (beginRun, kill) => {
      const runId = await beginRun()
      await pause(randomInt(300))
      await kill()
      return runId
    },
  ]

  /** Ask a process for an export. The same key asks for the same run. */
  async function begin(at = service.url, key: string = randomUUID()): Promise<string> {
    const answer = await service.send('admin', 'POST', 'exports', { at, headers: { 'idempotency-key': key } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(202)
    return answer.body.runId
  }

  /** A process that says nothing for 30 s counts as ended. */
  const silent = (runId: string) =>
    postgres.query(
      `UPDATE heatmark_local.company_run SET updated_at = now() - interval '1 minute'
       WHERE run_id::text = $1 AND status = 'running'`,
      [runId],
    )

  async function ended(runId: string) {
    await until(async () => ['succeeded', 'failed'].includes((await find(runId)).status))
    return find(runId)
  }

  /** Download an export, and check it. */
  async function expectWhole({ exportId, sha256 }: CompanyExport): Promise<void> {
    const path = `/api/company/${service.companyId}/exports/${exportId}/content`
    const response = await fetch(service.url + path, { headers: { authorization: await tokenOf('admin') } })
    expect(response.status).toBe(200)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    const file = join(folder, `${exportId}.zip`)
    writeFileSync(file, bytes)
    expect(await verifyCompanyExport(openExport(file))).toMatchObject({ documents: 2 })
    rmSync(file)
  }

  it(`are whole after ${kills} kills, and the last one is offered until the next is there`, {
    timeout: 3_600_000,
  }, async () => {
    const first = await ended(await begin())
    let offered: CompanyExport = first.result
    for (let kill = 0; kill < kills; kill += 1) {
      const before = await files()
      const killed = await startHttpProcess(service)
      const beginRun = () => begin(killed.url)
      const runId = await moments[kill % moments.length]!(beginRun, killed.kill, before)
      const left = await find(runId)
      if (left.status !== 'succeeded') {
        expect(left.result).toBeNull()
        await expectWhole(offered)
      }
      await silent(runId)
      const next = await startHttpProcess(service)
      const run = await ended(runId)
      expect(run).toMatchObject({ status: 'succeeded', error: null })
      offered = run.result
      await expectWhole(offered)
      await next.kill()
    }
  })

  it.runIf(isFullRun)(
    'fail when their process ends three times, and can be asked for again',
    async () => {
      const key = randomUUID()
      let runId = ''
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        const killed = await startHttpProcess(service)
        await silent(runId)
        runId = await moments[1]!(() => begin(killed.url, key), killed.kill, [])
      }
      await silent(runId)
      const next = await startHttpProcess(service)
      expect(await ended(runId)).toMatchObject({
        status: 'failed',
        result: null,
        error: { code: 'internal-error' },
      })
      await next.kill()
      const again = await ended(await begin())
      expect(again.status).toBe('succeeded')
      await expectWhole(again.result)
    },
    600_000,
  )

  it.runIf(placeName === 'a folder')('leave nothing that no sweep removes', async () => {
    const keys = await exportsStored()
    expect(keys.length).toBeGreaterThan(1)
    const fileOf = (key: string) => join(service.documentsFolder, key)
    const nineDaysAgo = Date.now() / 1_000 - 9 * 86_400
    for (const key of keys) utimesSync(fileOf(key), nineDaysAgo, nineDaysAgo)
    const { EVENTSTORE_URL, DATABASE_URL } = service.settings
    const stores = openStores({ eventStoreUrl: EVENTSTORE_URL!, databaseUrl: DATABASE_URL! })
    const output = createOutput(true, { write() {} }, { write() {} })
    await sweepDocuments(stores, { folder: service.documentsFolder }, { dryRun: false }, output)
    await stores.close()
    expect(await exportsStored()).toEqual([])
  })

  it('are refused for a document that is lost, and leave no part of a file', async () => {
    const { body } = await service.send('viewer', 'GET', 'documents')
    const [{ sha256 }] = body
    await withObjects(async (objects) => {
      for await (const { key } of objects.list(`${service.companyId}/${sha256}/`)) await objects.delete(key)
    })
    const before = await files()
    const run = await ended(await begin())
    expect(run).toMatchObject({ status: 'failed', error: { code: 'documents-unavailable' } })
    expect(await files()).toEqual(before)
  })
})
