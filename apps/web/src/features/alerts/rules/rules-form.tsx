import type { AlertRules } from '@astropelago/contract/alert-rules'
import { changeAlerts } from '@astropelago/contract/alerts'
import { type ReactNode, useRef, useState } from 'react'
import * as v from 'valibot'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { useUser } from '../../../lib/use-user.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Select } from '../../../ui/select.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { useChangeAlerts } from '../alerts-query.ts'
import { problemsOf } from '../form-problems.ts'
import { useProblems } from '../use-problems.ts'
import { ChannelChoice } from './channel-choice.tsx'
import { GraceField, graceProblem } from './grace-field.tsx'
import { QuietHoursFields } from './quiet-hours-fields.tsx'
import { changesOf, draftOfRules, type RulesDraft } from './rules-draft.ts'
import { TimeZoneField } from './time-zone-field.tsx'

const repeats: readonly { readonly hours: number; readonly name: string }[] = [
  { hours: 1, name: 'Every hour' },
  { hours: 3, name: 'Every 3 hours' },
  { hours: 6, name: 'Every 6 hours' },
  { hours: 12, name: 'Every 12 hours' },
  { hours: 24, name: 'Every day' },
  { hours: 168, name: 'Every week' },
]

/** Edits stay until they are saved, whatever the server sends in the meantime. */
export function RulesForm({ rules }: { rules: AlertRules }) {
  const [edits, setEdits] = useState<Partial<RulesDraft>>({})
  const { isOperator } = useUser()
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useProblems(form)
  const showToast = useToast()
  const saving = useChangeAlerts(() => {
    setEdits({})
    showToast({ title: 'Rules saved' })
  })
  const draft = { ...draftOfRules(rules), ...edits }
  const change = (edit: Partial<RulesDraft>) => setEdits((others) => ({ ...others, ...edit }))

  const submit = () => {
    const changes = changesOf(draft, rules)
    if (Object.keys(changes).length === 0) {
      setProblems({})
      showToast({ title: 'Rules saved' })
      return
    }
    const { success, issues, output } = v.safeParse(changeAlerts.body, changes)
    setProblems(success ? {} : problemsOf(issues))
    if (!success) return
    saving.mutate(output, { onError: (error) => setProblems(fieldErrors(error)) })
  }
  const isAtField = Object.keys(problems).length > 0
  return (
    <form
      ref={form}
      noValidate
      aria-label="What to tell you"
      className="flex min-w-0 flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) submit()
      }}
    >
      <Checkbox
        label="Tell me when one of my devices goes offline or one of my islands closes"
        hint="While this is off, you get no alerts. What you miss is not sent later."
        checked={draft.isOn}
        onChange={({ target }) => change({ isOn: target.checked })}
      />
      {draft.isOn && (
        <>
          <Checkbox
            label="Also when it is back online or open again"
            hint="Only if you got an alert when it went offline or closed."
            checked={draft.tellsOnline}
            onChange={({ target }) => change({ tellsOnline: target.checked })}
          />
          <Checkbox
            label="Also when a device reports a failure itself"
            hint="The device still counts as online. Its page shows what it reported."
            checked={draft.tellsWarnings}
            onChange={({ target }) => change({ tellsWarnings: target.checked })}
          />
          {isOperator && (
            <Checkbox
              label="And when users report something"
              hint="You run this server, so you can get this too: at most one message in five minutes. It says how many reports there are, but not what users wrote."
              checked={draft.tellsReports}
              onChange={({ target }) => change({ tellsReports: target.checked })}
            />
          )}
          <Row>
            <GraceField
              value={draft.grace}
              error={problems['graceS'] && graceProblem}
              onChange={(grace) => change({ grace })}
            />
            <RepeatField
              value={draft.repeatHours}
              onChange={(repeatHours) => change({ repeatHours })}
            />
          </Row>
          <Row>
            <ChannelChoice
              value={draft.channels}
              whole="All channels that work"
              error={problems['channels']}
              onChange={(channels) => change({ channels })}
            />
          </Row>
          <Row>
            <TimeZoneField
              value={draft.timeZone}
              error={problems['timeZone']}
              onChange={(timeZone) => change({ timeZone })}
            />
            <QuietHoursFields
              value={draft.quietHours}
              problems={problems}
              onChange={(quietHours) => change({ quietHours })}
            />
          </Row>
        </>
      )}
      <FormError>{isAtField ? undefined : failureText(saving.error)}</FormError>
      <div>
        <Button type="submit" size="sm" busy={saving.isPending}>
          {saving.isPending ? 'Saving…' : 'Save rules'}
        </Button>
      </div>
    </form>
  )
}

function Row({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-w-0 items-start gap-x-8 gap-y-6 border-t border-line pt-6 sm:grid-cols-2">
      {children}
    </div>
  )
}

interface RepeatFieldProps {
  value: number | null
  onChange: (hours: number | null) => void
}

function RepeatField({ value, onChange }: RepeatFieldProps) {
  // The API accepts any number of hours.
  const isOther = value !== null && repeats.every(({ hours }) => hours !== value)
  const choices = isOther ? [...repeats, { hours: value, name: `Every ${value} hours` }] : repeats
  return (
    <Field label="While it stays offline or closed" hint="You can get reminders until it is back.">
      {(wiring) => (
        <Select
          {...wiring}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        >
          <option value="">Tell me once</option>
          {choices.map(({ hours, name }) => (
            <option key={hours} value={hours}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
