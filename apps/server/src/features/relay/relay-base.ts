import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { RelayCounts } from './relay-counts.ts'
import type { ReadRights, RelayedIslands } from './relayed-islands.ts'
import type { IslandPages } from './visitors/island-pages.ts'
import type { Transfers } from './visitors/transfers.ts'

export interface RelayBase extends FeatureBase {
  readonly config: Config
  readonly islands: RelayedIslands
  readonly readRights: ReadRights
  readonly counts: RelayCounts
  readonly pages: IslandPages
  readonly transfers: Transfers
  readonly addressOf: (request: IncomingMessage) => string
  readonly networkOf: (request: IncomingMessage) => string
}
