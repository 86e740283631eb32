import type { Selectable } from 'kysely'
import type { AccountTables } from './tables/account-tables.ts'
import type { AlertTables } from './tables/alert-tables.ts'
import type { CheckTables } from './tables/check-tables.ts'
import type { DeviceTables } from './tables/device-tables.ts'
import type { InstanceTables } from './tables/instance-tables.ts'
import type { IslandTables } from './tables/island-tables.ts'
import type { NeighbourTables } from './tables/neighbour-tables.ts'

/**
 * The tables as queries see them. Keys never leave the server. Times are integer milliseconds since 1970.
 * Hashes of tokens and codes are SHA-256. Numbers named `is_…` are 0 or 1.
 */
export interface Schema
  extends
    AccountTables,
    DeviceTables,
    AlertTables,
    CheckTables,
    IslandTables,
    NeighbourTables,
    InstanceTables {}

export type RowOf<Table extends keyof Schema> = Selectable<Schema[Table]>

export type ChangeTopic = Schema['changes']['topic']
