import type { Recorded } from '../domain/event.ts'
import type { Parameters } from '../domain/ruleBook.ts'
import type { RulePackEvent } from '../domain/tagCatalogue.ts'
import {
  boolean,
  defineProjection,
  integer,
  json,
  nullable,
  type Rows,
  table,
  text,
  uuid,
} from './projection.ts'
import { type ListQuery, listQuery, type Page } from './reading/listQuery.ts'
import type { Query, Reading } from './reading/reader.ts'

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
      /** The company's choices; null when the pack offers none. */
      parameters: nullable(json<Parameters>()),
      /** The id of the event that decided it; the progress of its evaluation is stored under this id. */
      eventId: uuid,
    },
    key: ['companyId', 'rulePackId'],
  }),
}

const decided =
  (subscribed: boolean) =>
  (rows: Rows<typeof tables>, { data, id }: Recorded<RulePackEvent>): void => {
    const { companyId, rulePackId, name, version, tagIds, parameters = null } = data
    rows.rulePack.put({
      ...{ companyId, rulePackId, name, version, subscribed, tagIds, parameters, eventId: id },
    })
  }

export const rulePacks = defineProjection<RulePackEvent>()({
  name: 'rulePacks',
  version: 2,
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
  readonly parameterSchema: object
  readonly defaults: Parameters
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
        parameters: `coalesce(CASE WHEN p.subscribed THEN to_jsonb(p.parameters) END, s.defaults, '{}'::jsonb)`,
        parameterSchema: `coalesce(s."parameterSchema", '{"type":"object","properties":{},"additionalProperties":false}'::jsonb)`,
      },
      from: `jsonb_to_recordset($2::jsonb) AS s(id text, name text, version integer, "parameterSchema" jsonb, defaults jsonb)
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

/** A pack that the company subscribes to. */
export interface SubscribedPack {
  readonly rulePackId: string
  readonly tagIds: Readonly<Record<string, string>>
  readonly parameters: Parameters | null
}

export function listSubscribedPacks(reading: Reading, companyId: string): Query {
  return {
    text: `SELECT rule_pack_id AS "rulePackId", tag_ids AS "tagIds", parameters
           FROM ${reading.table(rulePacks, 'rulePack')} WHERE company_id = $1 AND subscribed`,
    values: [companyId],
  }
}

function touches({ data }: Recorded<RulePackEvent>) {
  return { rulePack: [[data.companyId, data.rulePackId]] }
}
