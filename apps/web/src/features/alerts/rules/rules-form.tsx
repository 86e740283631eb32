import type { AlertRules, AlertRulesChanges } from '@astropelago/contract/alert-rules'
import { changeAlerts } from '@astropelago/contract/alerts'
import type { ReactNode } from 'react'
import type { OwnProblems } from '../../../lib/forms/reading.ts'
import { useUser } from '../../../lib/use-user.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { useChangeAlerts } from '../alerts-query.ts'
import { ChannelChoice } from './channel-choice.tsx'
import { GraceField, graceProblem } from './grace-field.tsx'
import { QuietHoursFields } from './quiet-hours-fields.tsx'
import { changesOf, draftOfRules } from './rules-draft.ts'
import { TimeZoneField } from './time-zone-field.tsx'
import { useRulesForm } from './use-rules-form.ts'

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
  const { isOperator } = useUser()
  const form = useRulesForm({
    draft: draftOfRules(rules),
    changesOf: (draft) => changesOf(draft, rules),
    schema: changeAlerts.body,
    problemsOf: missingIn,
    send: useChangeAlerts(),
    saved: 'Rules saved',
  })
  const { values: draft, change, problemOf } = form
  return (
    <form {...form.wiring} aria-label="What to tell you" className="flex min-w-0 flex-col gap-6">
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
              value={draft.graceS}
              error={problemOf('graceS') && graceProblem}
              onChange={(graceS) => change({ graceS })}
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
              error={problemOf('channels')}
              onChange={(channels) => change({ channels })}
            />
          </Row>
          <Row>
            <TimeZoneField
              value={draft.timeZone}
              error={problemOf('timeZone')}
              onChange={(timeZone) => change({ timeZone })}
            />
            <QuietHoursFields
              value={draft.quietHours}
              problemOf={problemOf}
              onChange={(quietHours) => change({ quietHours })}
            />
          </Row>
        </>
      )}
      <FormError>{form.failure}</FormError>
      <div>
        <Button type="submit" size="sm" busy={form.isBusy}>
          {form.isBusy ? 'Saving…' : 'Save rules'}
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
    <SelectField
      label="While it stays offline or closed"
      hint="You can get reminders until it is back."
      value={value ?? ''}
      onChange={(hours) => onChange(hours === '' ? null : Number(hours))}
    >
      <option value="">Tell me once</option>
      {choices.map(({ hours, name }) => (
        <option key={hours} value={hours}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

function missingIn({ quietHours }: AlertRulesChanges): OwnProblems {
  return {
    'quietHours.from': quietHours?.from === '' && 'Enter it.',
    'quietHours.to': quietHours?.to === '' && 'Enter it.',
  }
}
