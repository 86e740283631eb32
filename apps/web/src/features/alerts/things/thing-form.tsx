import type { AlertRules, SubjectRules } from '@astropelago/contract/alert-rules'
import { changeDeviceAlerts } from '@astropelago/contract/alerts'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Select } from '../../../ui/select.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { problemsOf } from '../form-problems.ts'
import { ChannelChoice } from '../rules/channel-choice.tsx'
import { GraceField, graceProblem } from '../rules/grace-field.tsx'
import { useProblems } from '../use-problems.ts'
import { draftOfThing, type ThingDraft, thingChangesOf } from './thing-draft.ts'
import { type Thing, useChangeThingAlerts } from './thing-queries.ts'

interface ThingFormProps {
  thing: Thing
  rules: SubjectRules
  /** The account's rules, which apply to whatever the subject doesn't override. */
  account: AlertRules
}

interface Words {
  readonly isOn: string
  readonly tellsOnline: string
  /** Null if the subject has no warnings. */
  readonly tellsWarnings: string | null
}

const words: Readonly<Record<Thing['of'], Words>> = {
  device: {
    isOn: 'When it goes offline',
    tellsOnline: 'When it is back online',
    tellsWarnings: 'When it reports a failure',
  },
  island: { isOn: 'When it closes', tellsOnline: 'When it opens again', tellsWarnings: null },
}

/** A subject's alert rules, where they differ from the account's. */
export function ThingForm({ thing, rules, account }: ThingFormProps) {
  const [edits, setEdits] = useState<Partial<ThingDraft>>({})
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useProblems(form)
  const showToast = useToast()
  const saving = useChangeThingAlerts(thing, () => {
    setEdits({})
    showToast({ title: 'Alerts saved' })
  })
  const draft = { ...draftOfThing(rules), ...edits }
  const change = (edit: Partial<ThingDraft>) => setEdits((others) => ({ ...others, ...edit }))
  const tells = draft.isOn ?? account.isOn

  const submit = () => {
    const changes = thingChangesOf(draft, rules, account)
    if (Object.keys(changes).length === 0) {
      setProblems({})
      showToast({ title: 'Alerts saved' })
      return
    }
    const { success, issues } = v.safeParse(changeDeviceAlerts.body, changes)
    setProblems(success ? {} : problemsOf(issues))
    if (!success) return
    saving.mutate(changes, { onError: (error) => setProblems(fieldErrors(error)) })
  }
  const isAtField = Object.keys(problems).length > 0
  const { isOn, tellsOnline, tellsWarnings } = words[thing.of]
  return (
    <form
      ref={form}
      noValidate
      aria-label={`What to tell you about ${thing.name}`}
      className="flex min-w-0 flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) submit()
      }}
    >
      <div className="grid min-w-0 items-start gap-x-8 gap-y-6 sm:grid-cols-2">
        <Choice
          label={isOn}
          value={draft.isOn}
          account={account.isOn}
          onChange={(value) => change({ isOn: value })}
        />
        {tells && (
          <>
            <Choice
              label={tellsOnline}
              value={draft.tellsOnline}
              account={account.tellsOnline}
              onChange={(value) => change({ tellsOnline: value })}
            />
            <GraceField
              value={draft.grace}
              accountS={account.graceS}
              error={problems['graceS'] && graceProblem}
              onChange={(grace) => change({ grace })}
            />
            {tellsWarnings !== null && (
              <Choice
                label={tellsWarnings}
                value={draft.tellsWarnings}
                account={account.tellsWarnings}
                onChange={(value) => change({ tellsWarnings: value })}
              />
            )}
            <ChannelChoice
              value={draft.channels}
              whole="As in your account"
              error={problems['channels']}
              onChange={(channels) => change({ channels })}
            />
          </>
        )}
      </div>
      <FormError>{isAtField ? undefined : failureText(saving.error)}</FormError>
      <div>
        <Button type="submit" variant="outline" size="sm" busy={saving.isPending}>
          {saving.isPending ? 'Saving…' : 'Save alerts'}
        </Button>
      </div>
    </form>
  )
}

interface ChoiceProps {
  label: string
  value: boolean | null
  account: boolean
  onChange: (value: boolean | null) => void
}

const yes = 'Tell me'
const no = 'Don’t tell me'

function Choice({ label, value, account, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(wiring) => (
        <Select
          {...wiring}
          value={value === null ? '' : value ? yes : no}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value === yes)}
        >
          <option value="">{`As in your account (${account ? 'yes' : 'no'})`}</option>
          <option value={yes}>{yes}</option>
          <option value={no}>{no}</option>
        </Select>
      )}
    </Field>
  )
}
