import type { BrokenLimit } from '../../domain/rulePacks/brokenLimits.ts'
import {
  notEvaluatedIds,
  type RuleAssignmentsReplaced,
  valuesOf,
} from '../../domain/rulePacks/ruleAssignments.ts'
import type { Evidence, RulePackVersion } from '../../domain/rulePacks/ruleBook.ts'
import type { Family } from '../../domain/tags/tag.ts'
import type { Told } from '../../domain/verdict/sentence.ts'
import {
  defineProjection,
  integer,
  json,
  type Key,
  nullable,
  table,
  text,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { type ListQuery, listQuery, type Page } from '../engine/reading/listQuery.ts'
import type { Query, Reading } from '../engine/reading/reader.ts'
import { tags } from '../tags/tags.ts'

/** The reasons for which rules assign their tags to a subject, or for which they could not be evaluated. */

export const explanations = defineProjection<RuleAssignmentsReplaced>()({
  name: 'explanations',
  version: 1,
  tables: {
    finding: table({
      columns: {
        companyId: uuid,
        family: text,
        subjectId: uuid,
        rulePackId: text,
        ruleId: text,
        tagId: uuid,
        rulePackVersion: integer,
        hash: text,
        result: text,
        /** Null for a rule that could not be evaluated, with its values. */
        clause: nullable(text),
        values: nullable(json<Evidence>()),
        reason: nullable(text),
        evaluatedAt: timestamptz,
      },
      key: ['companyId', 'family', 'subjectId', 'rulePackId', 'ruleId'],
      versioned: true,
    }),
  },
  handlers: {
    RuleAssignmentsReplaced: {
      touches: ({ data }) => ({
        finding: [...data.matched.map(({ ruleId }) => ruleId), ...notEvaluatedIds(data), ...data.settled].map(
          (ruleId): Key => [data.companyId, data.family, data.subjectId, data.rulePackId, ruleId],
        ),
      }),
      apply: (rows, { data, metadata }) => {
        const { companyId, family, subjectId, rulePackId, version, hash, matched, notEvaluated } = data
        for (const ruleId of data.settled)
          rows.finding.delete([companyId, family, subjectId, rulePackId, ruleId])
        const common = {
          companyId,
          family,
          subjectId,
          rulePackId,
          rulePackVersion: version,
          hash,
          evaluatedAt: metadata.occurredAt,
        }
        for (const match of matched) {
          const { ruleId, tagId, clause } = match
          rows.finding.put({
            ...common,
            ruleId,
            tagId,
            clause,
            result: 'matched',
            reason: null,
            values: valuesOf(match, data),
          })
        }
        for (const { tagId, reason, ruleIds } of notEvaluated)
          for (const ruleId of ruleIds)
            rows.finding.put({
              ...common,
              ruleId,
              tagId,
              result: 'not-evaluated',
              reason,
              clause: null,
              values: null,
            })
      },
    },
  },
})

/** A finding as it was recorded. */
export interface FoundFinding extends RulePackVersionRef {
  readonly ruleId: string
  readonly result: 'matched' | 'not-evaluated'
  readonly clause: string | null
  readonly values: Evidence | null
}

export type RulePackVersionRef = Pick<RulePackVersion, 'rulePackId' | 'version' | 'hash'>

export interface SubjectKey {
  readonly companyId: string
  readonly family: Family
  readonly subjectId: string
}

const ofSubject = 'f.company_id = $1 AND f.family = $2 AND f.subject_id = $3'

/** The findings of a subject. */
export function listFindings(reading: Reading, { companyId, family, subjectId }: SubjectKey): Query {
  return {
    text: `SELECT f.rule_pack_id AS "rulePackId", f.rule_pack_version AS version, f.hash, f.rule_id AS "ruleId",
             f.result, f.clause, f.values FROM ${reading.table(explanations, 'finding')} f WHERE ${ofSubject}`,
    values: [companyId, family, subjectId],
  }
}

/** A tag of a certificate or an order. */
export interface TaggedSubject {
  readonly subjectId: string
  readonly tagId: string
}

/** A rule that has assigned a tag, as it was recorded. */
export interface FoundMatch extends TaggedSubject, RulePackVersionRef {
  readonly ruleId: string
  readonly clause: string
  readonly values: Evidence
}

/** The rules that have assigned these tags. */
export function listMatches(reading: Reading, companyId: string, tagged: readonly TaggedSubject[]): Query {
  return {
    text: `SELECT f.subject_id AS "subjectId", f.tag_id AS "tagId", f.rule_pack_id AS "rulePackId",
             f.rule_pack_version AS version, f.hash, f.rule_id AS "ruleId", f.clause, f.values
           FROM ${reading.table(explanations, 'finding')} f
           JOIN unnest($2::uuid[], $3::uuid[]) AS asked(subject_id, tag_id) USING (subject_id, tag_id)
           WHERE f.company_id = $1 AND f.family IN ('millCert', 'order') AND f.result = 'matched'
           ORDER BY f.rule_pack_id, f.rule_id`,
    values: [companyId, tagged.map(({ subjectId }) => subjectId), tagged.map(({ tagId }) => tagId)],
  }
}

/** The part of an explanation that no event holds. */
export interface Explained extends Told {
  readonly rulePackId: string
  readonly ruleId: string
  readonly clause: string
  readonly expression: string
  readonly values: Evidence
  /** The limits that the values break. */
  readonly limits: readonly BrokenLimit[]
}

/** Why rules assign active tags to a subject, or could not be evaluated on it. */
export function listExplanations(
  reading: Reading,
  { companyId, family, subjectId }: SubjectKey,
  explained: readonly Explained[],
  page?: Page,
): ListQuery {
  return listQuery(
    {
      select: {
        tagId: 'f.tag_id',
        tagName: 't.name',
        rulePackId: 'f.rule_pack_id',
        rulePackVersion: 'f.rule_pack_version',
        ruleId: 'f.rule_id',
        clause: 'e.clause',
        expression: 'e.expression',
        message: 'e.message',
        sentence: 'e.sentence',
        values: 'e."values"',
        limits: 'e.limits',
        result: 'f.result',
        reason: 'f.reason',
        evaluatedAt: 'f.evaluated_at',
      },
      from: `${reading.table(explanations, 'finding')} f JOIN ${reading.table(tags, 'tag')} t USING (company_id, family, tag_id)
        JOIN json_to_recordset($4::json) AS e("rulePackId" text, "ruleId" text, clause text, expression text,
                                              message text, sentence json, "values" json, limits json)
          ON e."rulePackId" = f.rule_pack_id AND e."ruleId" = f.rule_id`,
      where: `${ofSubject} AND t.active`,
      values: [companyId, family, subjectId, JSON.stringify(explained)],
      order: ['f.rule_pack_id', 'f.rule_id'],
    },
    page,
  )
}
