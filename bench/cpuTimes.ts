import { readdirSync, readFileSync } from 'node:fs'

/** The parts of a running service, each in processes of its own. */
export const parts = ['service', 'event store', 'PostgreSQL'] as const
export type Part = (typeof parts)[number]

/** The kernel counts CPU time in ticks of this many milliseconds. */
const tickMs = 10

/** Return the CPU time that each part has taken so far, in milliseconds. Backends that have ended count as well. */
export function cpuTimes(servicePid: number): Record<Part, number> {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess)
  const times = { service: 0, 'event store': 0, PostgreSQL: 0 }
  const add = (pid: number) => {
    for (const { parent, ...one } of processes) {
      if (one.pid === pid) {
        times[partOf(one, servicePid)] += one.own + (one.name === 'postgres' ? one.ofEnded : 0)
      }
      if (parent === pid) add(one.pid)
    }
  }
  add(servicePid)
  return times
}

/** Return the CPU time of each part in `after` but not in `before`. */
export function spent(before: Record<Part, number>, after: Record<Part, number>): Record<Part, number> {
  return {
    service: after.service - before.service,
    'event store': after['event store'] - before['event store'],
    PostgreSQL: after.PostgreSQL - before.PostgreSQL,
  }
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly name: string
  readonly own: number
  /** CPU time of children that have ended. */
  readonly ofEnded: number
}

function readProcess(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may hold spaces; the parent follows the state.
    const end = stat.lastIndexOf(')')
    const fields = stat
      .slice(end + 2)
      .split(' ')
      .map(Number)
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15) as [number, number, number, number]
    return [
      {
        pid: Number(pid),
        parent: fields[1]!,
        name: stat.slice(stat.indexOf('(') + 1, end),
        own: (user + system) * tickMs,
        ofEnded: (endedUser + endedSystem) * tickMs,
      },
    ]
  } catch {
    return []
  }
}

function partOf({ pid, name }: { readonly pid: number; readonly name: string }, servicePid: number): Part {
  if (pid === servicePid) return 'service'
  return name === 'postgres' ? 'PostgreSQL' : 'event store'
}
