import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Failure, isFailure } from '../lib/failure.ts'

/**
 * Return the name of the virus in a file, or undefined when the scanner finds none. @throws Failure
 * `objects-unavailable`
 */
export type Scan = (content: AsyncIterable<Uint8Array>) => Promise<string | undefined>

/** A scanner that is silent for this long has failed. */
const silentMs = 60_000

/**
 * Ask a clamd by its command INSTREAM: send the length of each chunk before the chunk, and an empty chunk at the end.
 */
export function createClamd({ host, port }: { readonly host: string; readonly port: number }): Scan {
  return async (content) => {
    const socket = connect({ host, port })
    socket.setTimeout(silentMs, () => socket.destroy(new Error('no answer in time')))
    try {
      const [answer] = await Promise.all([
        answerOf(socket),
        pipeline(inChunks(content), socket, { end: false }),
      ])
      return virusIn(answer)
    } catch (error) {
      if (isFailure(error, 'objects-unavailable')) throw error
      throw new Failure('objects-unavailable', `the scanner for viruses: ${(error as Error).message}`, {
        cause: error,
      })
    } finally {
      socket.destroy()
    }
  }
}

async function* inChunks(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield Buffer.from('zINSTREAM\0')
  for await (const chunk of content) {
    if (chunk.length === 0) continue
    yield lengthOf(chunk.length)
    yield chunk
  }
  yield lengthOf(0)
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

/** clamd closes the connection after its answer. */
function answerOf(socket: Socket): Promise<string> {
  return text(socket)
}

function virusIn(answer: string): string | undefined {
  if (/size limit exceeded/i.test(answer))
    throw new Error('the file is larger than clamd takes: set its StreamMaxLength to 26M')
  const [, result = ''] = /^stream: (.*)\0$/s.exec(answer) ?? []
  if (result === 'OK') return undefined
  const [, virus] = /^(.*) FOUND$/s.exec(result) ?? []
  if (virus === undefined) throw new Error(`unexpected answer ${JSON.stringify(answer)}`)
  return virus
}
