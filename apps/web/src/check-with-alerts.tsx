import type { OwnCheck } from '@astropelago/contract/checks'
import { CheckPage } from './features/checks/check-page.tsx'
import { useReportDialog } from './features/reports/use-report-dialog.tsx'
import { LocationArcs } from './location-arcs.tsx'
import { OwnAlertsPanel } from './own-alerts-panel.tsx'

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function CheckWithAlerts() {
  const { open, dialog } = useReportDialog()
  return (
    <>
      <CheckPage report={open} alertsOf={alertsOf} arcsOf={arcsOf} />
      {dialog}
    </>
  )
}

function arcsOf(id: string) {
  return <LocationArcs of="checks" id={id} />
}

function alertsOf({ id, name }: OwnCheck) {
  return <OwnAlertsPanel subject={{ of: 'check', id, name }} />
}
