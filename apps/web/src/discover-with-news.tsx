import { useAnnouncements } from './features/announcements/announcements-query.ts'
import { MothershipLinks } from './features/announcements/mothership-links.tsx'
import { MothershipNews } from './features/announcements/mothership-news.tsx'
import { DiscoverPage } from './features/discover/discover-page.tsx'

/**
 * Discover, handed what the operator announces. Beside routes.tsx, and not in it, since what it needs
 * would weigh on every page's first load.
 */
export function DiscoverWithNews() {
  // A load that fails stays quiet: there is nothing to do without it that could not wait.
  const { data: announcements = [] } = useAnnouncements()
  return (
    <DiscoverPage
      mothership={<MothershipLinks announcements={announcements} />}
      news={announcements.length > 0 && <MothershipNews announcements={announcements} />}
    />
  )
}
