import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Holder, hold } from '../../../support/holder.ts'
import { own } from '../../../support/own.ts'
import { startProxy, type TcpProxy } from '../../../support/proxy.ts'
import { isFullRun, sized } from '../../../support/size.ts'
import { soonMs, until } from '../../../support/until.ts'
import { company, samples } from '../../samples.ts'
import { setStage } from '../../stage.ts'

const rounds = sized(1, 5)

interface Member extends Holder {
  owner: string
  proxy: TcpProxy
}

let members: Member[]

const script = new URL('./projectorProcess.ts', import.meta.url).pathname

const startMember = async (owner: string): Promise<Member> => {
  const proxy = await startProxy(stage.database.url)
  const holder = await hold(script, [stage.node.url, proxy.url, stage.readModels.schema, owner])
  return { ...holder, owner, proxy }
}

const stage = await own(setStage())
beforeAll(async () => {
  // Note for each committed batch whose connection carried it out, and who had the lease at that moment.
  await stage.postgres.query(
    `CREATE TABLE batch (id bigserial, writer text, holder text, fencing bigint);
     CREATE FUNCTION note_batch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO public.batch (writer, holder, fencing)
       SELECT current_setting('application_name'), owner, fencing FROM heatmark_local.lease;
       RETURN NULL;
     END $$;
     CREATE TRIGGER note_batch AFTER UPDATE ON ${stage.readModels.checkpointTable}
       FOR EACH STATEMENT EXECUTE FUNCTION note_batch()`,
  )
  members = await Promise.all(['a', 'b', 'c'].map(startMember))
})
afterAll(async () => {
  for (const { end, proxy } of members) {
    await end('SIGKILL')
    await proxy.close()
  }
})

const leader = async (): Promise<Member | undefined> => {
  const [lease] = await stage.postgres.query<{ owner: string }>(
    'SELECT owner FROM heatmark_local.lease WHERE expires_at > clock_timestamp()',
  )
  return members.find(({ owner }) => owner === lease?.owner)
}

interface Batch {
  writer: string
  holder: string
  fencing: number
}

const batches = () => stage.postgres.query<Batch>('SELECT * FROM batch ORDER BY id')
const lastWriter = async () => (await batches()).at(-1)?.writer

/** Ways to lose a leader, and to have it back. */
const losses: Record<string, { lose: (member: Member) => unknown; back: (member: Member) => unknown }> = {
  'its connections cut': { lose: ({ proxy }) => proxy.refuse(), back: ({ proxy }) => proxy.accept() },
  'its network gone silent': { lose: ({ proxy }) => proxy.hold(), back: ({ proxy }) => proxy.resume() },
  SIGSTOP: { lose: ({ child }) => child.kill('SIGSTOP'), back: ({ child }) => child.kill('SIGCONT') },
  SIGKILL: {
    lose: ({ end }) => end('SIGKILL'),
    back: async (member) => {
      await member.proxy.close()
      members = [...members.filter((one) => one !== member), await startMember(`${member.owner}'`)]
    },
  },
}

test(
  'another takes over from a lost leader in about 5 s, and the lost one writes nothing any more',
  async () => {
    let done = false
    let appended = 0
    const appending = (async () => {
      while (!done) {
        await stage.append(
          {
            type: 'ItemPut',
            data: { companyId: company(1), item: appended % 40, label: `${appended}`, tags: [] },
          },
          { type: 'ItemNoted', data: { companyId: company(1), item: 1, note: `${appended++}` } },
        )
      }
    })()

    for (const [how, { lose, back }] of Array(rounds).fill(Object.entries(losses)).flat()) {
      await until(async () => (await leader()) && (await leader())?.owner === (await lastWriter()))
      const lost = (await leader())!
      const start = performance.now()
      await lose(lost)
      await until(async () => ![lost.owner, undefined].includes((await leader())?.owner))
      const next = (await leader())!
      await until(async () => (await lastWriter()) === next.owner)
      // About 5 s; a busy machine may be slower.
      expect(performance.now() - start, how).toBeLessThan(soonMs)
      await back(lost)
    }

    done = true
    await appending
    const { position } = (await stage.eventStore.last())!
    await until(async () => (await stage.states()).every((state) => state.position === position))
    for (const projection of samples)
      expect(await stage.rows(projection)).toEqual(await stage.rowsFromScratch(projection))
    const written = await batches()
    expect(written.filter(({ writer, holder }) => writer !== holder)).toEqual([])
    expect(written).toEqual(written.toSorted((a, b) => a.fencing - b.fencing))
    expect(written.at(-1)!.fencing).toBeGreaterThan(rounds * Object.keys(losses).length)
  },
  isFullRun ? 900_000 : undefined,
)
