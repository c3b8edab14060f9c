import { storeAnswersWithinMs } from '../eventStore.ts'

/**
 * EVENTSTORE_URL as the store's client takes it. The client prints an address that it refuses on the console, with
 * the password, so it is given only addresses that have been checked here.
 */

/** The options that the client knows, as it compares them: in any case, with or without `_` and `-`. */
const options = new Set(
  [
    'connectionName',
    'defaultDeadline',
    'discoveryInterval',
    'gossipTimeout',
    'keepAliveInterval',
    'keepAliveTimeout',
    'maxDiscoverAttempts',
    'nodePreference',
    'tls',
    'tlsCAFile',
    'tlsVerifyCert',
    'userCertFile',
    'userKeyFile',
  ].map((name) => name.toLowerCase()),
)

/** In a user or password, characters with a meaning of their own must be escaped, such as `%40` for `@`. */
const shape =
  /^(?:esdb|kurrentdb)(?:\+discover)?:\/\/(?:(?<user>[^:@/?#\s]+:[^:@/?#\s]+)@)?(?<hosts>[^@/?#\s]+)\/?(?:\?(?<query>[^@?#\s]+))?$/

/** The local node listens at a socket, which only programs of one user can reach. */
const socketShape = /^esdb\+unix:\/\/(?<path>\/[^/?#\s][^?#\s]*)$/

/** Return the address of the node that listens at this socket. */
export function socketUrl(path: string): string {
  return `esdb+unix://${path.split('/').map(encodeURIComponent).join('/')}`
}

/** Return the path of the socket in an address, if it names one. */
export function socketOf(url: string): string | undefined {
  const path = socketShape.exec(url)?.groups?.path
  return path !== undefined && isDecodable(path) ? decodeURIComponent(path) : undefined
}

/** Return what is wrong with an address, or undefined. The text quotes nothing of it but the names of options. */
export function eventStoreUrlFault(url: string): string | undefined {
  const match = shape.exec(url) ?? socketShape.exec(url)
  if (!match)
    return 'must be esdb://host:port or esdb+discover://host:port, with user:password@ before the host and ?name=value&… after it where they are needed; write @ : / ? # and % in a user, a password or a value as %40 and so on'
  if (!isDecodable(url)) return 'has a % that begins no character; write % itself as %25'
  const pairs = pairsOf(match.groups?.query)
  const unknown = pairs.filter(({ name }) => !options.has(bareName(name)))
  if (unknown.length > 0) return `has unknown options: ${quote(unknown)}`
  const empty = pairs.filter(({ value }) => value === '')
  if (empty.length > 0) return `has options without a value: ${quote(empty)}`
  if (
    pairs.some(({ name, value }) => bareName(name) === 'nodepreference' && value.toLowerCase() !== 'leader')
  )
    return 'has a nodePreference other than leader: any other node may lack the last events, which commands depend on; leave nodePreference out, or set it to leader'
  if (pairs.some(({ name, value }) => bareName(name) === 'tlsverifycert' && value !== 'true'))
    return 'has tlsVerifyCert, which has no effect: name the authority that signed the certificate in tlsCAFile'
  return undefined
}

/**
 * The client finds a dead connection by its keep-alive pings, every 10 s. It waits for their answers this long,
 * unless the url says otherwise.
 */
export const pingTimeoutMs = 3_000

/**
 * Return the limit for an answer, and for the silence within a read, in milliseconds: the `defaultDeadline` of the url,
 * by default 5 s.
 */
export function answersWithinMs(url: string): number {
  const given = pairsOf(url.split('?')[1]).find(({ name }) => bareName(name) === 'defaultdeadline')
  return given ? Number.parseInt(given.value, 10) : storeAnswersWithinMs
}

/** Return the address for the client. @throws Error that quotes nothing of the url but the names of options */
export function connectionString(url: string): string {
  const fault = eventStoreUrlFault(url)
  if (fault) throw new Error(`the address of the event store ${fault}`)
  // The store is called KurrentDB since version 25; the client knows only its older name.
  const connection = url.replace(/^kurrentdb/, 'esdb').replace(/\/(?=\?|$)/, '')
  const [, query] = connection.split('?')
  if (pairsOf(query).some(({ name }) => bareName(name) === 'keepalivetimeout')) return connection
  return `${connection}${query === undefined ? '?' : '&'}keepAliveTimeout=${pingTimeoutMs}`
}

function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function pairsOf(query: string | undefined): { name: string; value: string }[] {
  return (query?.split('&') ?? []).map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('=') }
  })
}

function quote(pairs: readonly { name: string }[]): string {
  return pairs.map(({ name }) => `"${name}"`).join(', ')
}
