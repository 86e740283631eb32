import { AnnouncementLine } from './features/announcements/announcement-line.tsx'
import { DashboardPage } from './features/dashboard/dashboard-page.tsx'
import { StripsPanel } from './features/dashboard/strips-panel.tsx'

/**
 * The dashboard with the operator's announcements and the user's devices. It is not in routes.tsx, because
 * its dependencies would add to every page's first load.
 */
export function DashboardWithNews() {
  return <DashboardPage news={<AnnouncementLine />} devices={<StripsPanel />} />
}
