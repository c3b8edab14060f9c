import type { Recorded } from '../domain/event.ts'
import type { RulePackEvent } from '../domain/rulePackSubscriptions.ts'
import { type ListQuery, listQuery } from './listQuery.ts'
import { bigint, boolean, defineProjection, integer, type Rows, table, text, uuid } from './projection.ts'
import type { Reading } from './reader.ts'

/** Which rule packs a company has subscribed to, and in which version. */

const tables = {
  rulePack: table({
    columns: {
      companyId: uuid,
      rulePackId: text,
      name: text,
      version: integer,
      subscribed: boolean,
      /** Of the event that decided it: how far its evaluation is, is told by this position. */
      position: bigint,
      revision: bigint,
    },
    key: ['companyId', 'rulePackId'],
  }),
}

const touches = ({ data }: Recorded<RulePackEvent>) => ({ rulePack: [[data.companyId, data.rulePackId]] })

const decided =
  (subscribed: boolean) =>
  (rows: Rows<typeof tables>, { data, position, revision }: Recorded<RulePackEvent>): void => {
    const { companyId, rulePackId, name, version } = data
    rows.rulePack.put({ companyId, rulePackId, name, version, subscribed, position, revision })
  }

export const rulePacks = defineProjection<RulePackEvent>()({
  name: 'rulePacks',
  version: 1,
  tables,
  handlers: {
    RulePackSubscribed: { touches, apply: decided(true) },
    RulePackUpgraded: { touches, apply: decided(true) },
    RulePackUnsubscribed: { touches, apply: decided(false) },
  },
})

/** A pack that the company has, or once had, subscribed to. */
export interface SubscribedRulePack {
  readonly rulePackId: string
  readonly name: string
  readonly version: number
  readonly subscribed: boolean
  readonly position: number
  readonly revision: number
}

export const listSubscribedRulePacks = (reading: Reading, companyId: string): ListQuery =>
  listQuery({
    select: {
      rulePackId: 'rule_pack_id',
      name: 'name',
      version: 'version',
      subscribed: 'subscribed',
      position: 'position',
      revision: 'revision',
    },
    from: reading.table(rulePacks, 'rulePack'),
    where: 'company_id = $1',
    values: [companyId],
    order: ['rule_pack_id'],
  })
