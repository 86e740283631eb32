import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { RelayCounts } from './relay-counts.ts'
import type { ReadRights, ServedIslands } from './served-islands.ts'
import type { VisitorPages } from './visitors/visitor-pages.ts'
import type { Transfers } from './visitors/transfers.ts'

export interface RelayBase extends FeatureBase {
  readonly config: Config
  readonly islands: ServedIslands
  readonly readRights: ReadRights
  readonly counts: RelayCounts
  readonly pages: VisitorPages
  readonly transfers: Transfers
  readonly addressOf: (request: IncomingMessage) => string
  readonly networkOf: (request: IncomingMessage) => string
}
