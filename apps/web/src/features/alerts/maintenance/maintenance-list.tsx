import { endMaintenance, type Maintenance } from '@astropelago/contract/alert-maintenance'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { RemovableItem } from '../../../ui/removable-item.tsx'
import { ownAlertsQuery } from '../alerts-query.ts'

interface MaintenanceListProps {
  label: string
  maintenance: readonly Maintenance[]
  nowMs: number
  /** Names what each maintenance applies to. Absent if all apply to the same subject. */
  subjectOf?: (maintenance: Maintenance) => string
}

/** Maintenance windows, each with a button to end it early. */
export function MaintenanceList(props: MaintenanceListProps) {
  const { label, maintenance, nowMs, subjectOf } = props
  const lasting = maintenance.filter(({ until }) => Date.parse(until) > nowMs)
  if (lasting.length === 0) return null
  return (
    <ul aria-label={label} className="flex min-w-0 flex-col border-y border-line">
      {lasting.map((each) => (
        <Item key={each.id} maintenance={each} nowMs={nowMs} subject={subjectOf?.(each)} />
      ))}
    </ul>
  )
}

function Item(props: { maintenance: Maintenance; nowMs: number; subject: string | undefined }) {
  const { nowMs, subject } = props
  const { id, from, until, note } = props.maintenance
  const client = useQueryClient()
  const ending = useMutation({
    mutationFn: () => call(endMaintenance, { params: { id } }),
    // Also after an error, because the maintenance may already be over.
    onSettled: () => client.invalidateQueries(ownAlertsQuery),
  })
  const elementId = useId()
  const hasBegun = Date.parse(from) <= nowMs
  return (
    <RemovableItem error={failureText(ending.error)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col gap-0.5 text-sm">
          <p id={`${elementId}-what`} className="wrap-anywhere">
            {subject !== undefined && (
              <>
                <bdi className="font-medium">{subject}</bdi>:{' '}
              </>
            )}
            {subject === undefined ? 'No alerts' : 'no alerts'}
            {!hasBegun && (
              <>
                {' '}
                from <LocalTime at={from} />
              </>
            )}{' '}
            until <LocalTime at={until} />
          </p>
          {note !== null && (
            <p className="text-xs wrap-anywhere text-muted">
              <bdi>{note}</bdi>
            </p>
          )}
        </div>
        <Button
          variant="outline"
          size="sm"
          id={`${elementId}-end`}
          // Tells the buttons apart if there are several windows.
          aria-labelledby={`${elementId}-end ${elementId}-what`}
          busy={ending.isPending}
          onClick={() => ending.mutate()}
        >
          {hasBegun ? 'End it now' : 'Call it off'}
        </Button>
      </div>
    </RemovableItem>
  )
}
