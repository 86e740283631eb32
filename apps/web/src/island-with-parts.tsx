import type { IslandView } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { FollowSkeleton } from './features/alerts/subjects/follow-skeleton.tsx'
import { IslandPage } from './features/island/island-page.tsx'
import { useReportDialog } from './features/reports/use-report-dialog.tsx'
import { useReportInAddress } from './features/reports/use-report-in-address.ts'
import { LocationArcs } from './location-arcs.tsx'
import { OnDemandPanel } from './ui/on-demand-panel.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const fetchOwn = async () =>
  (await import('./features/alerts/subjects/own-subject-alerts.tsx')).OwnSubjectAlerts
const fetchFollow = async () =>
  (await import('./features/alerts/subjects/follow-island.tsx')).FollowIsland

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function IslandWithParts() {
  const { open, dialog } = useReportDialog()
  useReportInAddress(open)
  return (
    <>
      <IslandPage report={open} alertsOf={alertsOf} arcsOf={arcsOf} />
      {dialog}
    </>
  )
}

function arcsOf(id: string) {
  return <LocationArcs of="islands" id={id} />
}

function alertsOf({ id, name, slug, role }: IslandView) {
  const subject = { of: 'island', id, name: name || slug } as const
  return role === 'host' ? (
    <OnDemandPanel
      what={t`Its alerts`}
      fetchPanel={fetchOwn}
      panelProps={{ subject }}
      skeleton={<Skeleton className="h-96 w-full rounded-card" />}
    />
  ) : (
    <OnDemandPanel
      what={t`Its alerts`}
      fetchPanel={fetchFollow}
      panelProps={{ island: subject }}
      skeleton={<FollowSkeleton />}
    />
  )
}
