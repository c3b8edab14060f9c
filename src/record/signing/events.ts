import type { Recorded } from '../../domain/kernel/event.ts'
import { companyOfStream } from '../../domain/kernel/streams.ts'
import type { EventStore } from '../../stores/eventStore.ts'

/** Read the events of a company in the order of the store, whatever their types. @throws StoreUnavailable */
export async function* eventsOfCompany(
  eventStore: Pick<EventStore, 'readAllInPortions'>,
  companyId: string,
): AsyncGenerator<Recorded, void> {
  for await (const portion of eventStore.readAllInPortions(0))
    for (const event of portion) if (companyOfStream(event.streamName) === companyId) yield event
}
