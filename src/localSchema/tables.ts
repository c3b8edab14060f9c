/**
 * The registry of the tables in the schema `heatmark_local`: rows that are neither events nor derivable from
 * events. Migrations, backup, restore, doctor and docs/operations.md follow it. To add a table, add its entry
 * here and its `CREATE TABLE` at the end of `migrations.ts`; a spec holds the two together.
 */
export const localTables = {
  lease: { storeKey: 'name', inBackups: false, droppedWhenRewound: false },
  policy_cursor: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: true },
  policy_job: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: true },
  policy_parked: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: true },
  run: { storeKey: 'schema', inBackups: false, droppedWhenRewound: false },
  last_used: { storeKey: null, inBackups: true, droppedWhenRewound: false },
  projection_skip: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: false },
  rule_evaluation: { storeKey: null, inBackups: true, droppedWhenRewound: true },
} as const satisfies Readonly<Record<string, LocalTable>>

export interface LocalTable {
  /**
   * The column that tells which event store a row belongs to: `store_id` holds its id; `name` and `schema` hold a
   * lease or a schema whose name contains the id. null where rows are found by ids that no two stores share.
   */
  readonly storeKey: 'store_id' | 'name' | 'schema' | null
  /** Whether a backup holds the rows: nothing makes them again, or only at a price. */
  readonly inBackups: boolean
  /** Whether the rows say how far somebody has followed the events, so that they go when events are lost. */
  readonly droppedWhenRewound: boolean
}

export type LocalTableName = keyof typeof localTables

/** The tables of which that holds, by name. */
export function localTablesThat(holds: (table: LocalTable) => boolean): LocalTableName[] {
  return (Object.keys(localTables) as LocalTableName[]).filter((name) => holds(localTables[name]))
}
