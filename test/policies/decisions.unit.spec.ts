import { expect, it } from 'vitest'
import type { Recorded } from '../../src/domain/kernel/event.ts'
import type { RulePackEvent } from '../../src/domain/tags/catalogueEvents.ts'
import { catalogueStream } from '../../src/domain/tags/tagCatalogue.ts'
import { hearAgain } from '../../src/policies/hear.ts'
import type { Job } from '../../src/policies/policy.ts'
import { ruleTagging } from '../../src/policies/ruleTagging.ts'
import type { Work } from '../../src/policies/work.ts'
import { companyId, id, stored } from '../support/given.ts'

/** Two decisions of a company on rule packs: of the revisions 0 and 1, at the positions 10 and 20. */
const decisions = stored(
  ['first', 'second'].map(
    (rulePackId): RulePackEvent => ({
      type: 'RulePackUnsubscribed',
      data: { companyId, rulePackId } as never,
    }),
  ),
).map((event) => ({ ...event, streamName: catalogueStream(companyId) })) as unknown as Recorded[]

const registered = (position: number, rulesAsOf: number) =>
  ({
    ...decisions[0]!,
    type: 'MillCertificateRegistered',
    data: { companyId, millCertificationId: id(7) },
    metadata: { ...decisions[0]!.metadata!, rulesAsOf },
    position,
  }) as Recorded

it.each([
  ['decision', decisions[0]!],
  ['registration', registered(15, 0)],
])('finds a stale subject after an old %s was heard once more', async (_, old) => {
  const policy = ruleTagging({
    eventStore: {
      async *readStream() {
        yield* decisions
      },
    } as never,
    noteEvent: () => {},
  } as never)
  const reaction = policy.begin()
  const asked: string[] = []
  const work = {
    policy,
    reaction,
    options: { eventStore: { eventAt: async () => old } },
    jobs: { ask: async (jobs: readonly Job[]) => void asked.push(...jobs.map(({ scope }) => scope)) },
  } as unknown as Work
  await hearAgain(work, { companyId, position: old.position, eventId: old.id } as Job)

  const scopes = await reaction.hears.get('MillCertificateRegistered')!(registered(30, 0))
  expect(scopes).toEqual([`millCert/${id(7)}`])
  expect(asked).toEqual(old === decisions[0] ? ['pack/first'] : [])
})
