import { useOwnDevices } from './features/devices/use-own-devices.ts'
import { withOwnDevices } from './features/devices/with-own-devices.tsx'
import { NodeReportingSource } from './features/observatory/nodes/node-reporting.ts'
import { ObservatoryPage } from './features/observatory/observatory-page.tsx'
import { useReportDialog } from './features/reports/use-report-dialog.tsx'

const ObservatoryWithOwnDevices = withOwnDevices(ObservatoryPage)

/**
 * The Observatory, handed the user's own devices and a way to report those of others. Beside routes.tsx,
 * and not in it, since what it needs would weigh on every page's first load.
 */
export function ObservatoryWithReports() {
  const { data: own } = useOwnDevices(() => false)
  const { open, dialog } = useReportDialog()
  const reporting = {
    // Whose it is may not be known yet: the server refuses one's own.
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
