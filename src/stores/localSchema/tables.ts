/**
 * The registry of the tables in the schema `heatmark_local`: rows that are neither events nor rows of a read model.
 * Migrations, backup, restore, doctor and docs/operations.md follow it. To add a table, add its entry here and its
 * `CREATE TABLE` in a new migration; a spec holds the two together.
 */
export const localTables = {
  lease: { storeKey: 'name', inBackups: false, droppedWhenRewound: false },
  policy_cursor: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: true },
  policy_job: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: true },
  policy_parked: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: true },
  run: { storeKey: 'schema', inBackups: false, droppedWhenRewound: false },
  last_used: { storeKey: null, inBackups: true, droppedWhenRewound: false },
  person: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: false },
  projection_skip: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: false },
  log_checkpoint: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: true },
  log_anchor: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: true },
  log_reread: { storeKey: 'store_id', inBackups: false, droppedWhenRewound: false },
  company_run: { storeKey: 'store_id', inBackups: false, droppedWhenRewound: false },
  session: { storeKey: null, inBackups: false, droppedWhenRewound: false },
  invitation: { storeKey: 'store_id', inBackups: true, droppedWhenRewound: false },
  import: { storeKey: 'store_id', inBackups: false, droppedWhenRewound: false },
  webhook_secret: { storeKey: null, inBackups: true, droppedWhenRewound: false },
  webhook_place: { storeKey: null, inBackups: true, droppedWhenRewound: true },
  webhook_attempt: { storeKey: null, inBackups: false, droppedWhenRewound: false },
  rule_evaluation: { storeKey: null, inBackups: true, droppedWhenRewound: true },
} as const satisfies Readonly<Record<string, LocalTable>>

interface LocalTable {
  /**
   * The column that tells the event store of a row: `store_id` holds its id; `name` and `schema` hold the name of a
   * lease or a schema, which contains the id. null for rows with ids that no two stores share.
   */
  readonly storeKey: 'store_id' | 'name' | 'schema' | null
  /** Whether a backup holds the rows, because it is impossible or expensive to create them again. */
  readonly inBackups: boolean
  /** Whether the rows hold a position or what was folded up to one, so that they are dropped when the event store is rewound. */
  readonly droppedWhenRewound: boolean
}

type LocalTableName = keyof typeof localTables

/** Return the names of the tables for which `holds` returns true. */
export function localTablesThat(holds: (table: LocalTable) => boolean): LocalTableName[] {
  return (Object.keys(localTables) as LocalTableName[]).filter((name) => holds(localTables[name]))
}
