import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { ownAlertsQuery } from '../alerts-query.ts'
import { MaintenanceList } from '../maintenance/maintenance-list.tsx'
import { PlanMaintenance } from '../maintenance/plan-maintenance.tsx'
import { AllOffHint, NoChannelHint } from './alert-hints.tsx'
import { SubjectForm } from './subject-form.tsx'
import { type AlertSubject, subjectAlertsQuery } from './subject-queries.ts'

const clockMs = 30_000
const headingId = 'subject-alerts-heading'

/** The owner's alert rules and maintenance for a device or an island. */
export function OwnSubjectAlerts({ subject }: { subject: AlertSubject }) {
  const query = useQuery(subjectAlertsQuery(subject))
  const account = useQuery(ownAlertsQuery)
  // Newly loaded maintenance may have begun after the last tick.
  const nowMs = Math.max(useNow(clockMs), query.dataUpdatedAt)
  const isLoading = query.isLoading || account.isLoading
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Alerts"
        description={
          <>
            What you don’t change here is as in the{' '}
            <Link to={paths.accountPart('alerts')} className={buttonStyles({ variant: 'link' })}>
              alerts of your account
            </Link>
            .
          </>
        }
      />
      {account.data?.rules.isOn === false ? (
        <AllOffHint />
      ) : (
        <NoChannelHint own={query.data?.rules} />
      )}
      {isLoading && <Skeleton className="h-40 w-full rounded-control" />}
      {query.data && account.data && (
        <>
          <SubjectForm
            key={subject.id}
            subject={subject}
            rules={query.data.rules}
            account={account.data.rules}
          />
          <div className="flex min-w-0 flex-col gap-4 border-t border-line pt-5">
            <h3 className="text-sm font-medium">Maintenance</h3>
            <MaintenanceList
              label="Maintenance"
              maintenance={query.data.maintenance}
              nowMs={nowMs}
            />
            <PlanMaintenance
              of={subject.of === 'device' ? { devices: [subject.id] } : { islands: [subject.id] }}
            />
          </div>
        </>
      )}
      <ListFailure query={query.isSuccess ? account : query} of="alerts" />
    </Card>
  )
}
