import type { OwnCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { CheckPage } from './features/checks/check-page.tsx'
import { OnDemandPanel } from './ui/on-demand-panel.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const fetchAlerts = async () =>
  (await import('./features/alerts/subjects/own-subject-alerts.tsx')).OwnSubjectAlerts

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function CheckWithAlerts() {
  return <CheckPage alertsOf={alertsOf} />
}

function alertsOf({ id, name }: OwnCheck) {
  return (
    <OnDemandPanel
      what={t`Its alerts`}
      fetchPanel={fetchAlerts}
      panelProps={{ subject: { of: 'check', id, name } }}
      skeleton={
        <div data-awaited>
          <Skeleton className="h-96 w-full rounded-card" />
        </div>
      }
    />
  )
}
