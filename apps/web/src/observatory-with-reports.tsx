import { useOwnDevices } from './devices/use-own-devices.ts'
import { withOwnDevices } from './devices/with-own-devices.tsx'
import { NodeReportingSource } from './features/observatory/nodes/node-reporting.ts'
import { ObservatoryPage } from './features/observatory/observatory-page.tsx'
import { useReportDialog } from './features/reports/use-report-dialog.tsx'

const ObservatoryWithOwnDevices = withOwnDevices(ObservatoryPage)

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function ObservatoryWithReports() {
  const { data: own } = useOwnDevices(() => false)
  const { open, dialog } = useReportDialog()
  const reporting = {
    // The owner may not be known yet. The server refuses reports of the user's own devices.
    canReport: (id: string) => own?.some((device) => device.id === id) !== true,
    report: (node: { readonly id: string; readonly name: string }) =>
      open({ kind: 'device', ...node }),
  }
  return (
    <NodeReportingSource value={reporting}>
      <ObservatoryWithOwnDevices />
      {dialog}
    </NodeReportingSource>
  )
}
