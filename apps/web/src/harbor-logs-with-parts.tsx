import { HarborLogsPage } from './features/harbor-logs/harbor-logs-page.tsx'
import { IslandSearch } from './features/search/island-search.tsx'

export function HarborLogsWithParts() {
  return <HarborLogsPage islandSearch={IslandSearch} />
}
