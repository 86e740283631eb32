import {
  endMaintenance,
  type Maintenance,
  maintenanceProblem,
  type NewMaintenance,
  planMaintenance,
} from '@astropelago/contract/alert-maintenance'
import type { FieldErrors } from '@astropelago/contract/error-body'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useFocusReturn } from '../../../ui/focus.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { fromLocalInput } from '../../../lib/local-time-input.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { RemovableItem } from '../../../ui/removable-item.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { ownAlertsQuery } from '../alerts-query.ts'

interface MaintenanceWindowsProps {
  maintenance: readonly Maintenance[]
  loadedMs: number
  /** The subjects of new windows. */
  of: MaintenanceOf
  /** Names what each window applies to. Absent if all apply to the same subject. */
  subjectOf?: (maintenance: Maintenance) => string
}

/** The lasting and planned windows, each with a button to end it early, and the form for a new one. */
export function MaintenanceWindows(props: MaintenanceWindowsProps) {
  const { maintenance, loadedMs, of, subjectOf } = props
  // Newly loaded maintenance may have begun after the last tick.
  const nowMs = Math.max(useNow(), loadedMs)
  const lasting = maintenance.filter(({ until }) => Date.parse(until) > nowMs)
  return (
    <>
      {lasting.length > 0 && (
        <ul aria-label={t`Maintenance`} className="flex min-w-0 flex-col border-y border-line">
          {lasting.map((each) => (
            <Item key={each.id} maintenance={each} nowMs={nowMs} subject={subjectOf?.(each)} />
          ))}
        </ul>
      )}
      <PlanMaintenance of={of} />
    </>
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
  const name = <bdi className="font-medium">{subject}</bdi>
  const start = <LocalTime at={from} />
  const end = <LocalTime at={until} />
  return (
    <RemovableItem error={failureText(ending.error)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col gap-0.5 text-sm">
          <p id={`${elementId}-what`} className="wrap-anywhere">
            {subject === undefined ? (
              hasBegun ? (
                <Trans>No alerts until {end}</Trans>
              ) : (
                <Trans>
                  No alerts from {start} until {end}
                </Trans>
              )
            ) : hasBegun ? (
              <Trans>
                {name}: no alerts until {end}
              </Trans>
            ) : (
              <Trans>
                {name}: no alerts from {start} until {end}
              </Trans>
            )}
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
          {hasBegun ? t`End it now` : t`Call it off`}
        </Button>
      </div>
    </RemovableItem>
  )
}

/** The subjects in maintenance. If both are absent: everything that the user gets alerts for. */
type MaintenanceOf = Pick<NewMaintenance, 'devices' | 'islands'>

function usePlanMaintenance() {
  const client = useQueryClient()
  return async (body: NewMaintenance): Promise<void> => {
    await call(planMaintenance, { body })
    await client.invalidateQueries(ownAlertsQuery)
  }
}

const hourMs = 3_600_000
const hours = [1, 4] as const

/** Starts maintenance with one press, or plans it with a start and an end. */
function PlanMaintenance({ of }: { of: MaintenanceOf }) {
  const [isPlanning, setIsPlanning] = useState(false)
  const planButton = useFocusReturn(isPlanning)
  const showToast = useToast()
  const planning = useMutation({
    mutationFn: usePlanMaintenance(),
    onSuccess: () => showToast({ title: t`You get no new alerts for a while` }),
  })

  if (isPlanning) return <MaintenanceForm of={of} onClose={() => setIsPlanning(false)} />
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {hours.map((count) => (
          <Button
            key={count}
            variant="outline"
            size="sm"
            busy={planning.isPending}
            onClick={() =>
              planning.mutate({
                ...of,
                until: new Date(Date.now() + count * hourMs).toISOString(),
              })
            }
          >
            {t`No alerts for ${count} h`}
          </Button>
        ))}
        <Button ref={planButton} variant="ghost" size="sm" onClick={() => setIsPlanning(true)}>
          <Trans>No alerts until…</Trans>
        </Button>
      </div>
      <FormError>{failureText(planning.error)}</FormError>
    </>
  )
}

const noSuchTime = t`There is no such time.`

function MaintenanceForm({ of, onClose }: { of: MaintenanceOf; onClose: () => void }) {
  const showToast = useToast()
  const form = useApiForm({
    values: { from: '', until: '', note: '' },
    read: ({ from, until, note }) => {
      const typed = {
        ...of,
        ...(from !== '' && { from: toUtc(from) }),
        until: until === '' ? '' : toUtc(until),
        ...(note.trim() !== '' && { note }),
      }
      return readBy(planMaintenance.body, typed, timeProblems(typed, Date.now()))
    },
    send: usePlanMaintenance(),
    onSent: () => {
      showToast({ title: t`Maintenance is planned` })
      onClose()
    },
    takesFocus: true,
  })
  return (
    <form {...form.wiring} aria-label={t`Maintenance`} className="flex min-w-0 flex-col gap-4">
      <div className="grid min-w-0 items-start gap-4 sm:grid-cols-3">
        <TextField
          label={t`From`}
          optional
          hint={t`If this is empty, it starts now.`}
          type="datetime-local"
          {...form.text('from')}
          name="maintenance-from"
        />
        <TextField
          label={t`Until`}
          type="datetime-local"
          {...form.text('until')}
          name="maintenance-until"
        />
        <TextField
          label={t`Note`}
          optional
          hint={t`Only you see it. For example: new router.`}
          autoComplete="off"
          {...form.text('note')}
          name="maintenance-note"
        />
      </div>
      <FormActions
        form={form}
        size="sm"
        submit={t`Plan it`}
        busy={t`Planning…`}
        cancelVariant="ghost"
        onCancel={onClose}
      />
    </form>
  )
}

/** Returns the text as typed if it is no valid time: browsers accept years of more than four digits. */
function toUtc(typed: string): string {
  return fromLocalInput(typed) ?? typed
}

/** Checks the times against each other and against now, before the request. */
function timeProblems(
  { from, until }: { from?: string; until: string },
  nowMs: number,
): FieldErrors {
  if (until === '') return { until: t`Enter it.` }
  const fromMs = from === undefined ? nowMs : Date.parse(from)
  const untilMs = Date.parse(until)
  if (Number.isNaN(fromMs)) return { from: noSuchTime }
  if (Number.isNaN(untilMs)) return { until: noSuchTime }
  return maintenanceProblem({ fromMs, untilMs }, nowMs) ?? {}
}
