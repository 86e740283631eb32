import type { AlertRules, SubjectRules } from '@astropelago/contract/alert-rules'
import { changeDeviceAlerts } from '@astropelago/contract/alerts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { ChannelChoice } from '../rules/channel-choice.tsx'
import { GraceField, graceProblem } from '../rules/grace-field.tsx'
import { useRulesForm } from '../rules/use-rules-form.ts'
import { draftOfThing, thingChangesOf } from './thing-draft.ts'
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
  const form = useRulesForm({
    draft: draftOfThing(rules),
    changesOf: (draft) => thingChangesOf(draft, rules, account),
    schema: changeDeviceAlerts.body,
    send: useChangeThingAlerts(thing),
    saved: 'Alerts saved',
  })
  const { values: draft, change, problemOf } = form
  const tells = draft.isOn ?? account.isOn
  const { isOn, tellsOnline, tellsWarnings } = words[thing.of]
  return (
    <form
      {...form.wiring}
      aria-label={`What to tell you about ${thing.name}`}
      className="flex min-w-0 flex-col gap-6"
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
              value={draft.graceS}
              accountS={account.graceS}
              error={problemOf('graceS') && graceProblem}
              onChange={(graceS) => change({ graceS })}
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
              error={problemOf('channels')}
              onChange={(channels) => change({ channels })}
            />
          </>
        )}
      </div>
      <FormError>{form.failure}</FormError>
      <div>
        <Button type="submit" variant="outline" size="sm" busy={form.isBusy}>
          {form.isBusy ? 'Saving…' : 'Save alerts'}
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
    <SelectField
      label={label}
      value={value === null ? '' : value ? yes : no}
      onChange={(choice) => onChange(choice === '' ? null : choice === yes)}
    >
      <option value="">{`As in your account (${account ? 'yes' : 'no'})`}</option>
      <option value={yes}>{yes}</option>
      <option value={no}>{no}</option>
    </SelectField>
  )
}
