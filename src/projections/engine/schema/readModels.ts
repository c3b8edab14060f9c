import { handlerOf, type Projection, type Table } from '../projection.ts'
import { engineTable, generationName, schemaName, storeIdIn, tableName } from './sql.ts'

/** The read models of a release over one event store: their schema in PostgreSQL, and the projections that fill it. */
export interface ReadModels {
  /** The name of the schema. Notices are sent on the channel of this name. */
  readonly schema: string
  readonly projections: readonly Projection[]
  /** The id, without its hyphens, of the store whose events they show. */
  readonly storeId: string
  /** The view of all projections with their checkpoints, qualified and quoted like the tables. */
  readonly states: string
  /** The table of all projections, in which most have no checkpoint of their own. */
  readonly stateTable: string
  /** The table with the checkpoint that they share. */
  readonly checkpointTable: string
  /** The projection of this name; undefined when this release has none. */
  find(name: string): Projection | undefined
  /** The projections that handle an event of one of these types, without those in the background. */
  handling(types: readonly string[]): readonly Projection[]
  /** A table of one generation, qualified and quoted. */
  tableName(table: string, generation: number): string
  /** The tables of a projection in one generation; none for a projection that this release does not have. */
  tablesOf(projection: string, generation: number): readonly GenerationTable[]
  /** Some of these read models, in the same schema. */
  only(projections: readonly Projection[]): ReadModels
}

/** A table that holds the rows of one generation of a projection. */
export interface GenerationTable {
  readonly table: Table
  /** The name that the projection gives it. */
  readonly key: string
  /** The name that it has in the schema. */
  readonly name: string
  /** The same, qualified and quoted. */
  readonly sqlName: string
}

/** The read models that these projections fold from the events of that store. */
export function readModelsOf(storeId: string, projections: readonly Projection[]): ReadModels {
  return createReadModels(schemaName(storeId, projections), projections)
}

/** The read models in a schema whose name is known. */
export function createReadModels(schema: string, projections: readonly Projection[]): ReadModels {
  const byName = new Map(projections.map((projection) => [projection.name, projection]))
  const handling = (type: string) =>
    projections.filter((projection) => !projection.isBackground && handlerOf(projection, { type }))
  const byType = new Map<string, readonly Projection[]>()
  return {
    schema,
    projections,
    storeId: storeIdIn(schema),
    states: engineTable(schema, 'projection'),
    stateTable: engineTable(schema, 'state'),
    checkpointTable: engineTable(schema, 'checkpoint'),
    find: (name) => byName.get(name),
    handling(types) {
      const readers = new Set<Projection>()
      for (const type of types) {
        const projections = byType.get(type) ?? handling(type)
        byType.set(type, projections)
        for (const projection of projections) readers.add(projection)
      }
      return [...readers]
    },
    tableName: (table, generation) => tableName(schema, table, generation),
    tablesOf: (projection, generation) =>
      Object.entries(byName.get(projection)?.tables ?? {}).map(([key, table]) => ({
        table,
        key,
        name: generationName(key, generation),
        sqlName: tableName(schema, key, generation),
      })),
    only: (some) => createReadModels(schema, some),
  }
}
