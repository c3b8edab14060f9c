import streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  array,
  assert,
  boolean,
  integer,
  oneof,
  property,
  record,
  string,
  uint8Array,
  uuid,
} from 'fast-check'
import { expect, it } from 'vitest'
import {
  createFrameWriter,
  takeFrames,
  writeCheckpoint,
  writeEvent,
} from '../../../src/embedded/eventStore/storage/frames.ts'
import type { RecordedEvent } from '../../../src/embedded/eventStore/storage/types.ts'

const anyText = string({ unit: 'grapheme', maxLength: 300 })
const anyCount = oneof(integer({ min: 0, max: 300 }), integer({ min: 0, max: Number.MAX_SAFE_INTEGER }))
const anyEvent = record({
  stream: anyText,
  revision: anyCount,
  position: anyCount,
  created: integer({ min: 0, max: 8.64e15 }),
  id: uuid(),
  type: anyText,
  isJson: boolean(),
  data: uint8Array({ maxLength: 300 }),
  metadata: uint8Array({ maxLength: 300 }),
})

function frame({ bytes, ends }: { bytes: Uint8Array; ends: number[] }, index: number): streams.ReadResp {
  return streams.ReadResp.deserializeBinary(bytes.slice(index === 0 ? 0 : ends[index - 1], ends[index]))
}

/** An event as the generated decoder reads it. */
function decode(response: streams.ReadResp): RecordedEvent & { commit: number; prepare: number } {
  const readEvent = response.getEvent()!
  const event = readEvent.getEvent()!
  const properties = event.getMetadataMap()
  return {
    stream: Buffer.from(event.getStreamIdentifier()!.getStreamName_asU8()).toString(),
    revision: Number(event.getStreamRevision()),
    position: Number(readEvent.getCommitPosition()),
    commit: Number(event.getCommitPosition()),
    prepare: Number(event.getPreparePosition()),
    created: Number(BigInt(properties.get('created')!) / 10_000n),
    id: event.getId()!.getString(),
    type: properties.get('type')!,
    isJson: properties.get('content-type') === 'application/json',
    data: event.getData_asU8(),
    metadata: event.getCustomMetadata_asU8(),
  }
}

it('encodes any events so that the generated decoder reads them', () => {
  assert(
    property(array(anyEvent, { minLength: 1, maxLength: 20 }), (events) => {
      // A small buffer, which has to grow.
      const writer = createFrameWriter(16)
      for (const event of events) writeEvent(writer, event)
      const frames = takeFrames(writer)
      expect(frames.ends).toHaveLength(events.length)
      for (const [index, event] of events.entries()) {
        const { commit, prepare, ...decoded } = decode(frame(frames, index))
        expect(decoded).toEqual(event)
        expect([commit, prepare]).toEqual([event.position, event.position])
      }
    }),
  )
})

it('encodes a checkpoint at any position', () => {
  assert(
    property(anyCount, (position) => {
      const writer = createFrameWriter(1)
      writeCheckpoint(writer, position)
      const checkpoint = frame(takeFrames(writer), 0).getCheckpoint()!
      expect(checkpoint.getCommitPosition()).toBe(String(position))
      expect(checkpoint.getPreparePosition()).toBe(String(position))
    }),
  )
})
