import {
  maintenanceProblem,
  type NewMaintenance,
  planMaintenance,
} from '@astropelago/contract/alert-maintenance'
import type { FieldErrors } from '@astropelago/contract/error-body'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { fromLocalInput } from '../../../lib/local-time-input.ts'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { ownAlertsQuery } from '../alerts-query.ts'

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
export function PlanMaintenance({ of }: { of: MaintenanceOf }) {
  const [isPlanning, setIsPlanning] = useState(false)
  const planButton = useRef<HTMLButtonElement>(null)
  const showToast = useToast()
  const planning = useMutation({
    mutationFn: usePlanMaintenance(),
    onSuccess: () => showToast({ title: 'You get no new alerts for a while' }),
  })

  // The focused form is gone.
  const wasPlanning = useRef(false)
  useEffect(() => {
    if (wasPlanning.current && !isPlanning) planButton.current?.focus()
    wasPlanning.current = isPlanning
  }, [isPlanning])

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
            {`No alerts for ${count} h`}
          </Button>
        ))}
        <Button ref={planButton} variant="ghost" size="sm" onClick={() => setIsPlanning(true)}>
          No alerts until…
        </Button>
      </div>
      <FormError>{failureText(planning.error)}</FormError>
    </>
  )
}

const noSuchTime = 'There is no such time.'

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
      showToast({ title: 'Maintenance is planned' })
      onClose()
    },
    takesFocus: true,
  })
  return (
    <form {...form.wiring} aria-label="Maintenance" className="flex min-w-0 flex-col gap-4">
      <div className="grid min-w-0 items-start gap-4 sm:grid-cols-3">
        <TextField
          label="From"
          optional
          hint="If this is empty, it starts now."
          type="datetime-local"
          {...form.text('from')}
          name="maintenance-from"
        />
        <TextField
          label="Until"
          type="datetime-local"
          {...form.text('until')}
          name="maintenance-until"
        />
        <TextField
          label="Note"
          optional
          hint="Only you see it. For example: new router."
          autoComplete="off"
          {...form.text('note')}
          name="maintenance-note"
        />
      </div>
      <FormActions
        form={form}
        size="sm"
        submit="Plan it"
        busy="Planning…"
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
  if (until === '') return { until: 'Enter it.' }
  const fromMs = from === undefined ? nowMs : Date.parse(from)
  const untilMs = Date.parse(until)
  if (Number.isNaN(fromMs)) return { from: noSuchTime }
  if (Number.isNaN(untilMs)) return { until: noSuchTime }
  return maintenanceProblem({ fromMs, untilMs }, nowMs) ?? {}
}
