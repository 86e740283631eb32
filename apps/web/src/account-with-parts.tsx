import { t } from '@lingui/core/macro'
import { AccountPage } from './features/account/account-page.tsx'
import { OnDemandPanel } from './ui/on-demand-panel.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const fetchStatusPage = async () =>
  (await import('./features/status-page/status-page-part.tsx')).StatusPagePart
const fetchAlerts = async () => (await import('./features/alerts/alerts-part.tsx')).AlertsPart

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function AccountWithParts() {
  return (
    <AccountPage
      alerts={
        <OnDemandPanel
          what={t`Your alerts`}
          fetchPanel={fetchAlerts}
          panelProps={{}}
          skeleton={skeleton('h-[36rem]')}
        />
      }
      sharing={
        <OnDemandPanel
          what={t`Your status page`}
          fetchPanel={fetchStatusPage}
          panelProps={{}}
          skeleton={skeleton('h-[24rem]')}
        />
      }
    />
  )
}

function skeleton(height: string) {
  return (
    <div data-awaited>
      <Skeleton className={`${height} w-full rounded-card`} />
    </div>
  )
}
