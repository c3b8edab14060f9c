/**
 * EVENTSTORE_URL as the store's client takes it. What the client does not like in it, it prints on the console
 * together with all of it, password included, so it gets only what has been looked at here.
 */

/** All that the client knows, as it compares them: in any case, with or without `_` and `-`. */
const options = new Set(
  [
    ...['connectionName', 'defaultDeadline', 'discoveryInterval', 'gossipTimeout', 'keepAliveInterval'],
    ...['keepAliveTimeout', 'maxDiscoverAttempts', 'nodePreference', 'throwOnAppendFailure', 'tls'],
    ...['tlsCAFile', 'tlsVerifyCert', 'userCertFile', 'userKeyFile'],
  ].map((name) => name.toLowerCase()),
)
const flat = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** In a user or password, characters with a meaning of their own stand in no other form than `%40`. */
const shape =
  /^(?:esdb|kurrentdb)(?:\+discover)?:\/\/(?:[^:@/?#\s]+:[^:@/?#\s]+@)?[^@/?#\s]+\/?(?:\?(?<query>[^@?#\s]+))?$/

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const pairsOf = (query: string | undefined): { name: string; value: string }[] =>
  (query?.split('&') ?? []).map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('=') }
  })
const quoted = (pairs: readonly { name: string }[]): string => pairs.map(({ name }) => `"${name}"`).join(', ')

/** What is wrong with it, in words that hold nothing of it but names of options; undefined when nothing is. */
export const eventStoreUrlFault = (url: string): string | undefined => {
  const match = shape.exec(url)
  if (!match)
    return 'must be esdb://host:port or esdb+discover://host:port, with user:password@ before the host if need be and ?name=value&… behind it; @ : / ? # and % in a user, a password or a value are written as %40 and so on'
  if (!isDecodable(url)) return 'has a % that begins no character; % itself is written as %25'
  const pairs = pairsOf(match.groups?.query)
  const unknown = pairs.filter(({ name }) => !options.has(flat(name)))
  if (unknown.length > 0) return `has options that are not known: ${quoted(unknown)}`
  const empty = pairs.filter(({ value }) => value === '')
  if (empty.length > 0) return `has options without a value: ${quoted(empty)}`
  if (pairs.some(({ name, value }) => flat(name) === 'nodepreference' && value.toLowerCase() !== 'leader'))
    return 'has a nodePreference other than leader: commands are decided on what is read, and any other node may lack the last events; leave nodePreference out, or set it to leader'
  if (pairs.some(({ name, value }) => flat(name) === 'tlsverifycert' && value !== 'true'))
    return 'has tlsVerifyCert, which has no effect: name the authority that signed the certificate in tlsCAFile'
  return undefined
}

/**
 * A connection that has gone silent is found out by its keep-alive pings, every 10 s: an answer later than
 * this counts as none, unless the url says otherwise.
 */
const pingTimeoutMs = 3_000

/** What to connect with. @throws Error that holds nothing of the url but names of options */
export const connectionString = (url: string): string => {
  const fault = eventStoreUrlFault(url)
  if (fault) throw new Error(`the address of the event store ${fault}`)
  // The store has been called KurrentDB since version 25; the client knows its older name alone.
  const known = url.replace(/^kurrentdb/, 'esdb').replace(/\/(?=\?|$)/, '')
  const [, query] = known.split('?')
  if (pairsOf(query).some(({ name }) => flat(name) === 'keepalivetimeout')) return known
  return `${known}${query === undefined ? '?' : '&'}keepAliveTimeout=${pingTimeoutMs}`
}
