import type { Recorded } from '../domain/event.ts'
import { companyOfStream } from '../domain/streams.ts'
import type { EventStore } from '../eventStore.ts'

/** Read the events of a company in the order of the store, whatever their types. @throws StoreUnavailable */
export async function* eventsOfCompany(
  eventStore: Pick<EventStore, 'readAllInPortions'>,
  companyId: string,
): AsyncGenerator<Recorded, void> {
  for await (const portion of eventStore.readAllInPortions(0))
    for (const event of portion) if (companyOfStream(event.streamName) === companyId) yield event
}
