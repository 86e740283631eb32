import { HarborLogsPage } from './features/harbor-logs/harbor-logs-page.tsx'
import { IslandSearch } from './features/search/island-search.tsx'

/** The logs of all islands, handed the search for one of them. */
export function HarborLogsWithParts() {
  return <HarborLogsPage islandSearch={IslandSearch} />
}
