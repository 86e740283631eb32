import { t } from '@lingui/core/macro'
import type { AlertSubject } from './features/alerts/alerts-query.ts'
import { OnDemandPanel } from './ui/on-demand-panel.tsx'
import { AwaitedSkeleton } from './ui/skeleton.tsx'

const fetchAlerts = async () =>
  (await import('./features/alerts/subjects/own-subject-alerts.tsx')).OwnSubjectAlerts

/** For the owner of a device or a check. */
export function OwnAlertsPanel({ subject }: { subject: AlertSubject }) {
  return (
    <OnDemandPanel
      what={t`Its alerts`}
      fetchPanel={fetchAlerts}
      panelProps={{ subject }}
      skeleton={<AwaitedSkeleton className="h-96 w-full rounded-card" />}
    />
  )
}
