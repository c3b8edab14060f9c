import type { Recorded } from '../../domain/kernel/event.ts'
import type { RulePackDefined } from '../../domain/rulePacks/ownRulePack.ts'
import type { Parameters } from '../../domain/rulePacks/ruleBook.ts'
import type { OfferedDocument } from '../../domain/rulePacks/rulePackOffer.ts'
import { defaultsOf, parameterSchemaOf } from '../../domain/rulePacks/rulePackParameters.ts'
import type { OwnRulePackAdded, OwnRulePackWithdrawn, RulePackEvent } from '../../domain/tags/tagCatalogue.ts'
import {
  bigint,
  boolean,
  defineProjection,
  integer,
  json,
  nullable,
  type Rows,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { type ListQuery, listQuery, type Page, singleQuery } from '../engine/reading/listQuery.ts'
import type { Query, Reading } from '../engine/reading/reader.ts'

/** The rule packs that a company has subscribed to, and those that it has written itself. */

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
      revision: bigint,
      /** The id of the event that decided it; the progress of its evaluation is stored under this id. */
      eventId: uuid,
    },
    key: ['companyId', 'rulePackId'],
    versioned: true,
  }),
  /** The newest version of each pack that the company has written. */
  ownRulePack: table({
    columns: {
      companyId: uuid,
      rulePackId: text,
      name: text,
      version: integer,
      parameterSchema: json<object>(),
      /** The parameters of a new subscription. */
      defaults: json<Parameters>(),
      /** Whether the catalogue names it: false if its addition broke off, or after it was withdrawn. */
      added: boolean,
      revision: bigint,
    },
    key: ['companyId', 'rulePackId'],
  }),
  ownVersion: table({
    columns: {
      companyId: uuid,
      rulePackId: text,
      version: integer,
      name: text,
      hash: text,
      document: json<object>(),
      definedAt: timestamptz,
      definedBy: text,
    },
    key: ['companyId', 'rulePackId', 'version'],
    // A version never changes, but a read as of a moment takes no other tables.
    versioned: true,
  }),
}

const decided =
  (subscribed: boolean) =>
  (rows: Rows<typeof tables>, { data, id, revision }: Recorded<RulePackEvent>): void => {
    const { companyId, rulePackId, name, version, tagIds, parameters = null } = data
    rows.rulePack.put({
      companyId,
      rulePackId,
      name,
      version,
      subscribed,
      tagIds,
      parameters,
      revision,
      eventId: id,
    })
  }

function defined(rows: Rows<typeof tables>, { data, metadata, revision }: Recorded<RulePackDefined>): void {
  const { companyId, rulePackId, name, version, hash, document } = data
  const offer = { choices: document.parameters }
  const { added = false } = rows.ownRulePack.get([companyId, rulePackId]) ?? {}
  rows.ownRulePack.put({
    companyId,
    rulePackId,
    name,
    version,
    added,
    revision,
    parameterSchema: parameterSchemaOf(offer),
    defaults: defaultsOf(offer),
  })
  rows.ownVersion.put({
    companyId,
    rulePackId,
    version,
    name,
    hash,
    document,
    definedAt: metadata.occurredAt,
    definedBy: metadata.actor.id,
  })
}

const named = (added: boolean) => ({
  touches: ({ data: { companyId, rulePackId } }: Recorded<OwnRulePackAdded | OwnRulePackWithdrawn>) => ({
    ownRulePack: [[companyId, rulePackId]],
  }),
  apply: (
    rows: Rows<typeof tables>,
    { data: { companyId, rulePackId } }: Recorded<OwnRulePackAdded | OwnRulePackWithdrawn>,
  ) => rows.ownRulePack.update([companyId, rulePackId], { added }),
})

export const rulePacks = defineProjection<
  RulePackEvent | OwnRulePackAdded | OwnRulePackWithdrawn | RulePackDefined
>()({
  name: 'rulePacks',
  version: 1,
  tables,
  handlers: {
    RulePackSubscribed: { touches, apply: decided(true) },
    RulePackUpgraded: { touches, apply: decided(true) },
    RulePackUnsubscribed: { touches, apply: decided(false) },
    OwnRulePackAdded: named(true),
    OwnRulePackWithdrawn: named(false),
    RulePackDefined: {
      touches: ({ data: { companyId, rulePackId, version } }) => ({
        ownRulePack: [[companyId, rulePackId]],
        ownVersion: [[companyId, rulePackId, version]],
      }),
      apply: defined,
    },
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

/** The packs to list: those of this release, and those of the company. A company's own pack hides one of its id. */
interface Listed {
  readonly companyId: string
  readonly shipped: readonly ShippedRulePack[]
  readonly only?: string | null
}

/** The packs that are shipped, those of the company, and those of other releases that the company has subscribed to. */
export function listRulePacks(reading: Reading, listed: Listed, page?: Page): ListQuery {
  const { select, from, where, values } = parts(reading, listed)
  return listQuery({ select, from, where, values, order: ['coalesce(s.id, p.rule_pack_id)'] }, page)
}

/** Find one pack of the list with its newest document. `document` is that of a shipped one. */
export function findRulePack(
  reading: Reading,
  { document, hash, ...listed }: Listed & { readonly only: string; document?: object; hash?: string },
): ListQuery {
  const { select, from, where, values } = parts(reading, listed)
  return singleQuery({
    select: {
      ...select,
      hash: 'coalesce(v.hash, $5)',
      document: 'coalesce(v.document, $4::json)',
      // The revision of the newest document if the company has written it, else of the subscription.
      revision: 'coalesce(s.revision, p.revision)',
    },
    from: `${from} LEFT JOIN ${reading.table(rulePacks, 'ownVersion')} v
             ON s.own AND v.company_id = $1 AND v.rule_pack_id = s.id AND v.version = s.version`,
    where: `${where} AND s.id IS NOT NULL`,
    values: [...values, document ? JSON.stringify(document) : null, hash ?? null],
  })
}

/** The newest version of a pack that the company has written. */
export interface FoundOwnPack {
  readonly version: number
  readonly hash: string
  readonly document: OfferedDocument
}

export function findOwnPack(reading: Reading, companyId: string, rulePackId: string): Query {
  return {
    text: `SELECT v.version, v.hash, v.document FROM ${reading.table(rulePacks, 'ownRulePack')} o
           JOIN ${reading.table(rulePacks, 'ownVersion')} v USING (company_id, rule_pack_id, version)
           WHERE company_id = $1 AND rule_pack_id = $2 AND o.added`,
    values: [companyId, rulePackId],
  }
}

/** A version of a pack that the company has written. */
export interface FoundVersion extends FoundOwnPack {
  readonly rulePackId: string
}

export function listOwnVersions(
  reading: Reading,
  companyId: string,
  versions: readonly { readonly rulePackId: string; readonly version: number }[],
): Query {
  return {
    text: `SELECT v.rule_pack_id AS "rulePackId", v.version, v.hash, v.document
           FROM ${reading.table(rulePacks, 'ownVersion')} v
           JOIN unnest($2::text[], $3::integer[]) AS asked(rule_pack_id, version) USING (rule_pack_id, version)
           WHERE v.company_id = $1`,
    values: [companyId, versions.map(({ rulePackId }) => rulePackId), versions.map(({ version }) => version)],
  }
}

/** A version of a pack with its document. */
export interface VersionAsked {
  readonly companyId: string
  readonly rulePackId: string
  readonly version: number
  /** The version of this release, if it ships one. */
  readonly shipped: { readonly name: string; readonly hash: string; readonly document: object } | undefined
}

/** Find one version of a pack. */
export function findRulePackVersion(
  reading: Reading,
  { companyId, rulePackId, version, shipped }: VersionAsked,
): ListQuery {
  const own = `FROM ${reading.table(rulePacks, 'ownRulePack')} o
               WHERE o.company_id = $1 AND o.rule_pack_id = $2 AND o.added`
  const { name = null, hash = null, document = null } = shipped ?? {}
  return singleQuery({
    select: {
      rulePackId: '$2::text',
      version: '$3::integer',
      name: 'v.name',
      own: 'v.own',
      hash: 'v.hash',
      document: 'v.document',
      definedAt: 'v.defined_at',
      definedBy: 'v.defined_by',
    },
    from: `(SELECT name, true AS own, hash, document, defined_at, defined_by
              FROM ${reading.table(rulePacks, 'ownVersion')}
              WHERE company_id = $1 AND rule_pack_id = $2 AND version = $3 AND EXISTS (SELECT ${own})
            UNION ALL
            SELECT $4::text, false, $5::text, $6::json, NULL, NULL
              WHERE $4 IS NOT NULL AND NOT EXISTS (SELECT ${own})) v`,
    where: 'true',
    values: [companyId, rulePackId, version, name, hash, document && JSON.stringify(document)],
  })
}

function parts(reading: Reading, { companyId, shipped, only = null }: Listed) {
  const columns = 'id, name, version, "parameterSchema", defaults'
  const own = reading.table(rulePacks, 'ownRulePack')
  return {
    select: {
      rulePackId: 'coalesce(s.id, p.rule_pack_id)',
      id: 'coalesce(s.id, p.rule_pack_id)',
      name: 'coalesce(s.name, p.name)',
      version: 'coalesce(s.version, p.version)',
      subscribedVersion: 'CASE WHEN p.subscribed THEN p.version END',
      subscribed: 'coalesce(p.subscribed, false)',
      own: 'coalesce(s.own, false)',
      evaluation,
      parameters: `coalesce(CASE WHEN p.subscribed THEN p.parameters END, s.defaults, '{}'::json)`,
      parameterSchema: `coalesce(s."parameterSchema", '{"type":"object","properties":{},"additionalProperties":false}'::json)`,
    },
    from: `(SELECT ${columns}, false AS own, NULL::bigint AS revision
              FROM json_to_recordset($2::json)
                AS shipped(id text, name text, version integer, "parameterSchema" json, defaults json)
              WHERE NOT EXISTS (SELECT FROM ${own} o WHERE o.company_id = $1 AND o.rule_pack_id = id AND o.added)
            UNION ALL
            SELECT rule_pack_id, name, version, parameter_schema, defaults, true, revision
              FROM ${own} WHERE company_id = $1 AND added) s
           FULL JOIN (SELECT * FROM ${reading.table(rulePacks, 'rulePack')} WHERE company_id = $1) p
             ON p.rule_pack_id = s.id
           LEFT JOIN heatmark_local.rule_evaluation e USING (event_id)`,
    where: '(s.id IS NOT NULL OR p.subscribed) AND ($3::text IS NULL OR coalesce(s.id, p.rule_pack_id) = $3)',
    values: [companyId, JSON.stringify(shipped), only],
  }
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
