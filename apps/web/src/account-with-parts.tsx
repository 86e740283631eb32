import { AccountPage } from './features/account/account-page.tsx'
import { OnDemandPanel } from './ui/on-demand-panel.tsx'
import { Skeleton } from './ui/skeleton.tsx'

const fetchAlerts = async () => (await import('./features/alerts/alerts-part.tsx')).AlertsPart

/**
 * Account, handed the part that another feature has there. Beside routes.tsx, and not in it, since what
 * it needs would weigh on every page's first load.
 */
export function AccountWithParts() {
  return (
    <AccountPage
      alerts={
        <OnDemandPanel
          what="Your alerts"
          fetchPanel={fetchAlerts}
          panelProps={{}}
          skeleton={
            <div data-awaited>
              <Skeleton className="h-[36rem] w-full rounded-card" />
            </div>
          }
        />
      }
    />
  )
}
