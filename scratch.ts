import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, readFileSync, readdirSync } from 'node:fs'
import { startPostgres } from './src/embedded/postgres.ts'
import { startNode } from './bench/processes.ts'
import { historyFile } from './bench/replay/historyFile.ts'
import { connectEventStore } from './src/eventStoreDb/connect.ts'
import { migrateLocal } from './src/localSchema/migrate.ts'
import { connectPostgres } from './src/postgres.ts'
import { projections } from './src/projections/all.ts'
import { ensureSchema } from './src/projections/schema/schema.ts'
import { rebuild } from './src/projections/operations/rebuild.ts'
import { ownColumns, pastName, type Projection } from './src/projections/projection.ts'
const events = Number(process.argv[2] ?? 100000)
const file = await historyFile(events)
const dir = mkdtempSync('/dev/shm/asofbench')
const node = await startNode(file)
const pgs = await startPostgres({ dataDir: dir })
const strip = (p: Projection): Projection => ({ ...p, tables: Object.fromEntries(Object.entries(p.tables).filter(([n]) => !Object.keys(p.tables).some((b) => p.tables[b]!.versioned && pastName(b) === n)).map(([n, t]) => [n, { ...t, versioned: false, columns: ownColumns(t) }])) })
const stat = (pid: string) => { try { const f = readFileSync(`/proc/${pid}/stat`,'utf8').split(') ')[1]!.split(' '); return { ppid: f[1], own: (Number(f[11])+Number(f[12]))*10, dead: (Number(f[13])+Number(f[14]))*10 } } catch { return undefined } }
const pgCpu = () => { let sum = 0; for (const pid of readdirSync('/proc').filter((n) => /^\d+$/.test(n))) { const s = stat(pid); if (!s) continue; if (pid === postmaster) sum += s.own + s.dead; else if (s.ppid === postmaster) sum += s.own } return sum }
const cpu = () => { const u = process.cpuUsage(); return (u.user+u.system)/1000 }
const postgres = connectPostgres({ url: pgs.url, name: 'bench', size: 4 })
const eventStore = connectEventStore(node.url)
const [me] = await postgres.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
const postmaster = stat(String(me!.pid))!.ppid!
try {
  await migrateLocal(postgres)
  for (let round = 0; round < 3; round++)
  for (const [name, set] of [['plain', projections.map(strip)], ['versioned', projections]] as const) {
    const storeId = randomUUID()
    const readModels = await ensureSchema(postgres, storeId, set)
    // The rebuild goes to where a live one stands: here all stand at the end.
    const last = (await eventStore.last())!
    await postgres.query(`UPDATE ${readModels.checkpointTable} SET position = $1, event_id = $2`, [last.position, last.id])
    const [c, p, t] = [cpu(), pgCpu(), performance.now()]
    await rebuild({ eventStore, postgres, readModels, clock: () => performance.now() })
    const [c2, p2, t2] = [cpu()-c, pgCpu()-p, performance.now()-t]
    const sizes = await postgres.query<{relname: string, n: number, mb: number}>(`select relname, reltuples::int n, pg_total_relation_size(c.oid)/1e6 mb from pg_class c join pg_namespace n on n.oid=relnamespace where nspname=$1 and relkind='r' and relname like '%\\_past\\_2' order by 3 desc`, [readModels.schema])
    console.log(name, 'node', Math.round(c2), 'pg', p2, 'sum', Math.round(c2+p2), 'wall', Math.round(t2), round === 0 ? sizes.map(s => `${s.relname}:${s.n}:${Math.round(s.mb)}MB`).join(' ') : '')
    await postgres.query(`DROP SCHEMA "${readModels.schema}" CASCADE`)
  }
} finally { await postgres.close(); await eventStore.close(); await node.stop(); await pgs.stop(); rmSync(dir,{recursive:true,force:true}) }
