import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { dirname, join } from 'node:path'
import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { readJson, writePrivateJson } from '../files.ts'

/**
 * The credential of a node, because other users of the machine reach its port too. It is beside the events, in a file
 * that only their owner may read.
 */

const user = 'heatmark'

interface Access {
  password: string
}

function accessFileOf(eventsFile: string): string {
  return join(dirname(eventsFile), 'eventStore.json')
}

/** 24 random bytes in hexadecimal. */
const isPassword = /^[0-9a-f]{48}$/

/**
 * Return the password for the node on this file. The first start makes it.
 * @throws Error of one line when the file of the password is damaged or cannot be written
 */
export function rememberedPassword(eventsFile: string): string {
  const file = accessFileOf(eventsFile)
  const known = readJson(file) as Access | undefined
  if (known) {
    if (!isPassword.test(known.password))
      throw new Error(`${file} is damaged: it holds no password of the event store`)
    return known.password
  }
  const made = { password: randomBytes(24).toString('hex') }
  writePrivateJson(file, made)
  return made.password
}

/** Return the connection string of the node that has started on this file and port. */
export function nodeUrl(eventsFile: string, port: number): string {
  return `esdb://${user}:${rememberedPassword(eventsFile)}@127.0.0.1:${port}?tls=false`
}

/** Clients ask for the list of methods without their credentials. A real server answers that, too. */
const openToAll = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods'

/** Refuse every other call that does not name the user and the password (HTTP's basic authentication). */
export function refuseStrangers(password: string): ServerInterceptor {
  const expected = digest(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  const isKnown = (metadata: Metadata) =>
    timingSafeEqual(digest(String(metadata.get('authorization')[0])), expected)
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, goOn) => {
            if (path === openToAll || isKnown(metadata)) goOn(metadata)
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: refused })
          },
        }),
    })
}

const refused =
  "the user or the password is wrong; dev.json in the service's data directory has the address with both"

/** Digests have the same length, as a comparison in constant time needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
