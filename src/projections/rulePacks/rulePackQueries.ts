import type { Parameters } from '../../domain/rulePacks/ruleBook.ts'
import type { OfferedDocument } from '../../domain/rulePacks/rulePackOffer.ts'
import type { Validation } from '../../domain/tags/catalogueEvents.ts'
import { type ListQuery, listQuery, type Page, singleQuery } from '../engine/reading/listQuery.ts'
import type { Query, Reading } from '../engine/reading/reader.ts'
import { rulePacks } from './rulePacks.ts'

/** The rule packs that a company sees: shipped ones, its own, and its subscriptions. */

/** A pack as this release ships it. */
export interface ShippedRulePack {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly parameterSchema: object
  readonly defaults: Parameters
}

/** Progress of a decision: pending until its turn, running through the subjects, or done. */
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
  const { select, from, where, values } = partsOf(reading, listed)
  return listQuery({ select, from, where, values, order: ['coalesce(s.id, p.rule_pack_id)'] }, page)
}

/** Find one pack of the list with its newest document. `document` is that of a shipped one. */
export function findRulePack(
  reading: Reading,
  { document, hash, ...listed }: Listed & { readonly only: string; document?: object; hash?: string },
): ListQuery {
  const { select, from, where, values } = partsOf(reading, listed)
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
interface VersionQuery {
  readonly companyId: string
  readonly rulePackId: string
  readonly version: number
  /** The version of this release, if it ships one. */
  readonly shipped: { readonly name: string; readonly hash: string; readonly document: object } | undefined
}

/** Find one version of a pack. */
export function findRulePackVersion(
  reading: Reading,
  { companyId, rulePackId, version, shipped }: VersionQuery,
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

function partsOf(reading: Reading, { companyId, shipped, only = null }: Listed) {
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
      validation: 'w.validation',
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
           LEFT JOIN heatmark_local.rule_evaluation e USING (event_id)
           LEFT JOIN ${reading.table(rulePacks, 'validation')} w
             ON w.company_id = $1 AND w.rule_pack_id = coalesce(s.id, p.rule_pack_id)`,
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

/** A pack whose rules judge the records of a company, and who has compared it with its standard. */
export interface JudgingPack {
  readonly rulePackId: string
  readonly name: string
  readonly version: number
  readonly validation: Validation | null
}

export function listJudgingPacks(reading: Reading, companyId: string): Query {
  return {
    text: `SELECT p.rule_pack_id AS "rulePackId", p.name, p.version, w.validation
           FROM ${reading.table(rulePacks, 'rulePack')} p
           LEFT JOIN ${reading.table(rulePacks, 'validation')} w USING (company_id, rule_pack_id)
           WHERE p.company_id = $1 AND p.subscribed ORDER BY p.rule_pack_id COLLATE "C"`,
    values: [companyId],
  }
}
