import { AnnouncementLine } from './features/announcements/announcement-line.tsx'
import { DashboardPage } from './features/dashboard/dashboard-page.tsx'
import { StripsPanel } from './features/devices/strips-panel.tsx'

/**
 * The dashboard with a line about what the operator announces, and the user's devices. Beside routes.tsx, and not in it, since
 * what it needs would weigh on every page's first load.
 */
export function DashboardWithNews() {
  return <DashboardPage news={<AnnouncementLine />} devices={<StripsPanel />} />
}
