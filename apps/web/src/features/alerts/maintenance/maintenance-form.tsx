import { maintenanceProblem, planMaintenance } from '@astropelago/contract/alert-maintenance'
import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { fromLocalInput } from '../../../lib/local-time-input.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { type Problems, problemsOf } from '../form-problems.ts'
import { useProblems } from '../use-problems.ts'
import { type MaintenanceOf, usePlanMaintenance } from './maintenance-queries.ts'

const noSuchTime = 'There is no such time.'

interface MaintenanceFormProps {
  of: MaintenanceOf
  onClose: () => void
}

/** Plans maintenance, with times in the browser's time zone. */
export function MaintenanceForm({ of, onClose }: MaintenanceFormProps) {
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const [note, setNote] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useProblems(form)
  const showToast = useToast()
  const planning = usePlanMaintenance(() => {
    showToast({ title: 'Maintenance is planned' })
    onClose()
  })
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const submit = () => {
    const typed = {
      ...of,
      ...(from !== '' && { from: toUtc(from) }),
      until: until === '' ? '' : toUtc(until),
      ...(note.trim() !== '' && { note }),
    }
    const wrong = timeProblems(typed, Date.now())
    const { success, issues } = v.safeParse(planMaintenance.body, typed)
    setProblems({ ...(!success && problemsOf(issues)), ...wrong })
    if (!success || Object.keys(wrong).length > 0) return
    planning.mutate(typed, { onError: (error) => setProblems(fieldErrors(error)) })
  }
  const isAtField = Object.keys(problems).length > 0
  return (
    <form
      ref={form}
      noValidate
      aria-label="Maintenance"
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!planning.isPending) submit()
      }}
    >
      <div className="grid min-w-0 items-start gap-4 sm:grid-cols-3">
        <TextField
          label="From"
          optional
          hint="If this is empty, it starts now."
          error={problems['from']}
          type="datetime-local"
          name="maintenance-from"
          value={from}
          onChange={setFrom}
        />
        <TextField
          label="Until"
          error={problems['until']}
          type="datetime-local"
          name="maintenance-until"
          value={until}
          onChange={setUntil}
        />
        <TextField
          label="Note"
          optional
          hint="Only you see it. For example: new router."
          error={problems['note']}
          name="maintenance-note"
          autoComplete="off"
          value={note}
          onChange={setNote}
        />
      </div>
      <FormError>{isAtField ? undefined : failureText(planning.error)}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={planning.isPending}>
          {planning.isPending ? 'Planning…' : 'Plan it'}
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
function timeProblems({ from, until }: { from?: string; until: string }, nowMs: number): Problems {
  if (until === '') return { until: 'Enter it.' }
  const fromMs = from === undefined ? nowMs : Date.parse(from)
  const untilMs = Date.parse(until)
  if (Number.isNaN(fromMs)) return { from: noSuchTime }
  if (Number.isNaN(untilMs)) return { until: noSuchTime }
  return maintenanceProblem({ fromMs, untilMs }, nowMs) ?? {}
}
