import type { Recorded } from '../../domain/kernel/event.ts'
import type { RulePackDefined } from '../../domain/rulePacks/ownRulePack.ts'
import type { PairRule } from '../../domain/rulePacks/pairRules.ts'
import type { Parameters } from '../../domain/rulePacks/ruleBook.ts'
import { defaultsOf, parameterSchemaOf } from '../../domain/rulePacks/rulePackParameters.ts'
import type {
  OwnRulePackAdded,
  OwnRulePackWithdrawn,
  RulePackEvent,
  RulePackValidated,
  Validation,
} from '../../domain/tags/catalogueEvents.ts'
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
import type { Reading } from '../engine/reading/reader.ts'

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
      /** The rules on pairs of certificate and line in force. */
      pairRules: json<readonly PairRule[]>(),
      revision: bigint,
      /** The id of the event that decided it; the progress of its evaluation is stored under this id. */
      eventId: uuid,
    },
    key: ['companyId', 'rulePackId'],
    versioned: true,
  }),
  /** The last validation of each pack. */
  validation: table({
    columns: { companyId: uuid, rulePackId: text, validation: json<Validation>() },
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
    // A version never changes, but a read as of an earlier time takes no other tables.
    versioned: true,
  }),
}

const putSubscription =
  (subscribed: boolean) =>
  (rows: Rows<typeof tables>, { data, id, revision }: Recorded<RulePackEvent>): void => {
    const { companyId, rulePackId, name, version, tagIds, parameters = null, pairRules = [] } = data
    rows.rulePack.put({
      companyId,
      rulePackId,
      name,
      version,
      subscribed,
      tagIds,
      parameters,
      pairRules: subscribed ? pairRules : [],
      revision,
      eventId: id,
    })
  }

function putDefinition(
  rows: Rows<typeof tables>,
  { data, metadata, revision }: Recorded<RulePackDefined>,
): void {
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

const ownPackHandler = (added: boolean) => ({
  touches: ({ data: { companyId, rulePackId } }: Recorded<OwnRulePackAdded | OwnRulePackWithdrawn>) => ({
    ownRulePack: [[companyId, rulePackId]],
  }),
  apply: (
    rows: Rows<typeof tables>,
    { data: { companyId, rulePackId } }: Recorded<OwnRulePackAdded | OwnRulePackWithdrawn>,
  ) => rows.ownRulePack.update([companyId, rulePackId], { added }),
})

export const rulePacks = defineProjection<
  RulePackEvent | OwnRulePackAdded | OwnRulePackWithdrawn | RulePackDefined | RulePackValidated
>()({
  name: 'rulePacks',
  version: 1,
  tables,
  handlers: {
    RulePackSubscribed: { touches, apply: putSubscription(true) },
    RulePackUpgraded: { touches, apply: putSubscription(true) },
    RulePackUnsubscribed: { touches, apply: putSubscription(false) },
    OwnRulePackAdded: ownPackHandler(true),
    OwnRulePackWithdrawn: ownPackHandler(false),
    RulePackValidated: {
      touches: ({ data: { companyId, rulePackId } }) => ({ validation: [[companyId, rulePackId]] }),
      apply: (rows, { data: { companyId, rulePackId, name: _, ...validation } }) =>
        rows.validation.put({ companyId, rulePackId, validation }),
    },
    RulePackDefined: {
      touches: ({ data: { companyId, rulePackId, version } }) => ({
        ownRulePack: [[companyId, rulePackId]],
        ownVersion: [[companyId, rulePackId, version]],
      }),
      apply: putDefinition,
    },
  },
})

/** SQL of the rules on pairs of certificate and line that are in force. @param company SQL of the company */
export function pairRulesOf(reading: Reading, company: string): string {
  return `(SELECT coalesce(json_agg(rule ORDER BY r.rule_pack_id), '[]')
    FROM ${reading.table(rulePacks, 'rulePack')} r CROSS JOIN LATERAL jsonb_array_elements(r.pair_rules::jsonb) rule
    WHERE r.company_id = ${company})`
}

function touches({ data }: Recorded<RulePackEvent>) {
  return { rulePack: [[data.companyId, data.rulePackId]] }
}
