import { maintenanceProblem, planMaintenance } from '@astropelago/contract/alert-maintenance'
import type { FieldErrors } from '@astropelago/contract/error-body'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { fromLocalInput } from '../../../lib/local-time-input.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { type MaintenanceOf, usePlanMaintenance } from './maintenance-queries.ts'

const noSuchTime = 'There is no such time.'

interface MaintenanceFormProps {
  of: MaintenanceOf
  onClose: () => void
}

/** Plans maintenance, with times in the browser's time zone. */
export function MaintenanceForm({ of, onClose }: MaintenanceFormProps) {
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
      <FormError>{form.failure}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={form.isBusy}>
          {form.isBusy ? 'Planning…' : 'Plan it'}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
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
