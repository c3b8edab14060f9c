import type { RuleAssignmentsReplaced } from '../domain/ruleAssignments.ts'
import type { Evidence } from '../domain/ruleBook.ts'
import type { Family } from '../domain/tag.ts'
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
} from './projection.ts'
import { type ListQuery, listQuery, type Page } from './reading/listQuery.ts'
import type { Reading } from './reading/reader.ts'
import { ownExpression } from './rulePacks.ts'
import { tags } from './tags.ts'

/** Why rules assign their tags to a subject, or why nobody knows whether they should. */

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
        result: text,
        clause: text,
        expression: text,
        explanation: text,
        values: json<Evidence>(),
        reason: nullable(text),
        evaluatedAt: timestamptz,
      },
      key: ['companyId', 'family', 'subjectId', 'rulePackId', 'ruleId'],
      versioned: true,
    }),
  },
  handlers: {
    RuleAssignmentsReplaced: {
      touches: ({ data: { companyId, family, subjectId, rulePackId, findings, settled } }) => ({
        finding: [...findings.map(({ ruleId }) => ruleId), ...settled].map(
          (ruleId): Key => [companyId, family, subjectId, rulePackId, ruleId],
        ),
      }),
      apply: (rows, { data, metadata }) => {
        const { companyId, family, subjectId, rulePackId, version, findings, settled } = data
        for (const ruleId of settled) rows.finding.delete([companyId, family, subjectId, rulePackId, ruleId])
        for (const { ruleId, tagId, result, clause, expression, explanation, values, reason } of findings)
          rows.finding.put({
            ...{ companyId, family, subjectId, rulePackId, ruleId, tagId, rulePackVersion: version },
            ...{ result, clause, expression, explanation, values, reason },
            evaluatedAt: metadata.occurredAt,
          })
      },
    },
  },
})

/** Why rules assign active tags to a subject, or could not be evaluated on it. */
export function listExplanations(
  reading: Reading,
  { companyId, family, subjectId }: { companyId: string; family: Family; subjectId: string },
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
        clause: 'f.clause',
        // Evidence of a company's own pack does not repeat the expression.
        expression: `CASE WHEN f.expression <> '' THEN f.expression ELSE ${ownExpression(reading)} END`,
        explanation: 'f.explanation',
        values: 'f.values',
        result: 'f.result',
        reason: 'f.reason',
        evaluatedAt: 'f.evaluated_at',
      },
      from: `${reading.table(explanations, 'finding')} f JOIN ${reading.table(tags, 'tag')} t USING (company_id, family, tag_id)`,
      where: 'f.company_id = $1 AND f.family = $2 AND f.subject_id = $3 AND t.active',
      values: [companyId, family, subjectId],
      order: ['f.rule_pack_id', 'f.rule_id'],
    },
    page,
  )
}
