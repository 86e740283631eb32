import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { DevicePage } from './features/device/device-page.tsx'
import { OnDemandPanel } from './ui/on-demand-panel.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const fetchAlerts = async () =>
  (await import('./features/alerts/subjects/own-subject-alerts.tsx')).OwnSubjectAlerts

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function DeviceWithAlerts() {
  return <DevicePage alertsOf={alertsOf} />
}

function alertsOf({ id, label }: OwnDevice) {
  return (
    <OnDemandPanel
      what={t`Its alerts`}
      fetchPanel={fetchAlerts}
      panelProps={{ subject: { of: 'device', id, name: label } }}
      skeleton={
        <div data-awaited>
          <Skeleton className="h-96 w-full rounded-card" />
        </div>
      }
    />
  )
}
