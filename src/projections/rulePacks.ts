import type { Recorded } from '../domain/event.ts'
import type { RulePackEvent } from '../domain/tagCatalogue.ts'
import { boolean, defineProjection, integer, json, type Rows, table, text, uuid } from './projection.ts'
import { type ListQuery, listQuery, type Page, singleQuery } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'

/** The rule packs that a company has subscribed to, with their versions. */

const tables = {
  rulePack: table({
    columns: {
      companyId: uuid,
      rulePackId: text,
      name: text,
      version: integer,
      subscribed: boolean,
      tagIds: json<Readonly<Record<string, string>>>(),
      /** The id of the event that decided it; the progress of its evaluation is stored under this id. */
      eventId: uuid,
    },
    key: ['companyId', 'rulePackId'],
  }),
}

const decided =
  (subscribed: boolean) =>
  (rows: Rows<typeof tables>, { data, id }: Recorded<RulePackEvent>): void => {
    const { companyId, rulePackId, name, version, tagIds } = data
    rows.rulePack.put({ companyId, rulePackId, name, version, subscribed, tagIds, eventId: id })
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

/** A pack as this release ships it. */
export interface ShippedRulePack {
  readonly id: string
  readonly name: string
  readonly version: number
}

/** Where a decision has got to: it waits for its turn, goes through the subjects, or has been through. */
const evaluation = `json_build_object(
  'status', CASE WHEN p.event_id IS NULL THEN 'none' WHEN e.event_id IS NULL THEN 'pending'
                 WHEN e.finished THEN 'done' ELSE 'running' END,
  'done', coalesce(e.done, 0),
  'total', coalesce(e.total, 0))`

/** The packs that are shipped, and those of other releases that the company has subscribed to. */
export function listRulePacks(
  reading: Reading,
  {
    companyId,
    shipped,
    only = null,
  }: { companyId: string; shipped: readonly ShippedRulePack[]; only?: string | null },
  page?: Page,
): ListQuery {
  return listQuery(
    {
      select: {
        rulePackId: 'coalesce(s.id, p.rule_pack_id)',
        id: 'coalesce(s.id, p.rule_pack_id)',
        name: 'coalesce(s.name, p.name)',
        version: 'coalesce(s.version, p.version)',
        subscribedVersion: 'CASE WHEN p.subscribed THEN p.version END',
        subscribed: 'coalesce(p.subscribed, false)',
        evaluation,
      },
      from: `jsonb_to_recordset($2::jsonb) AS s(id text, name text, version integer)
             FULL JOIN (SELECT * FROM ${reading.table(rulePacks, 'rulePack')} WHERE company_id = $1) p
               ON p.rule_pack_id = s.id
             LEFT JOIN heatmark_local.rule_evaluation e USING (event_id)`,
      where:
        '(s.id IS NOT NULL OR p.subscribed) AND ($3::text IS NULL OR coalesce(s.id, p.rule_pack_id) = $3)',
      values: [companyId, JSON.stringify(shipped), only],
      order: ['coalesce(s.id, p.rule_pack_id)'],
    },
    page,
  )
}

/** The tagIds of a pack that the company has subscribed to, by their keys. */
export function findSubscribedTags(
  reading: Reading,
  { companyId, rulePackId }: { companyId: string; rulePackId: string },
): ListQuery {
  return singleQuery({
    select: { tagIds: 'tag_ids' },
    from: reading.table(rulePacks, 'rulePack'),
    where: 'company_id = $1 AND rule_pack_id = $2 AND subscribed',
    values: [companyId, rulePackId],
  })
}

function touches({ data }: Recorded<RulePackEvent>) {
  return { rulePack: [[data.companyId, data.rulePackId]] }
}
