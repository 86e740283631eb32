import { AnnouncementLine } from './features/announcements/announcement-line.tsx'
import { DashboardPage } from './features/dashboard/dashboard-page.tsx'
import { StripsPanel } from './features/dashboard/strips-panel.tsx'

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function DashboardWithNews() {
  return <DashboardPage news={<AnnouncementLine />} devices={<StripsPanel />} />
}
