import { HarborLogsPage } from './features/harbor-logs/harbor-logs-page.tsx'
import { IslandSearch } from './features/search/island-search.tsx'

/** The logs of all islands, with the search for an island. */
export function HarborLogsWithParts() {
  return <HarborLogsPage islandSearch={IslandSearch} />
}
