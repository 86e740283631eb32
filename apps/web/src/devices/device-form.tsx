import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FormActions } from '../ui/form-actions.tsx'
import type { ReactNode } from 'react'
import Globe from 'virtual:icon/globe'
import Lock from 'virtual:icon/lock'
import { useApiForm } from '../lib/forms/use-api-form.ts'
import { useSession } from '../lib/session.ts'
import type { StoredValue } from '../lib/stored-value.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { TextField } from '../ui/text-field.tsx'
import { type DeviceDraft, type DraftedDevice, emptyDraft, readDraft } from './device-draft.ts'
import { noteOn } from './field-notes.ts'
import { ScheduleFieldset } from './schedule-fieldset.tsx'
import { PlaceFieldset } from './place-fieldset.tsx'

interface DeviceFormProps<Saved> {
  initial?: DeviceDraft
  draft?: StoredValue<DeviceDraft>
  save: (details: DraftedDevice) => Promise<Saved>
  onSaved: (saved: Saved) => void
  /** Describes a failed save. Errors about single fields are shown at the fields. */
  explain: (error: unknown) => string
  submitLabel: string
  busyLabel: string
  children?: ReactNode
}

export function DeviceForm<Saved>(props: DeviceFormProps<Saved>) {
  const { initial = emptyDraft, draft, save, onSaved, explain, submitLabel, busyLabel } = props
  const form = useApiForm({
    values: initial,
    draft,
    read: readDraft,
    send: save,
    onSent: onSaved,
    explain,
    remarkOn: noteOn,
  })
  const { values, change, text } = form
  const session = useSession()
  const isDemo = session.state === 'signed-in' && session.user.isDemo
  return (
    <form {...form.wiring} className="flex min-w-0 flex-col gap-5">
      <TextField
        label={t`Label`}
        hint={t`A name to know it by, such as Harbor Pi.`}
        autoComplete="off"
        {...text('label')}
      />
      <PlaceFieldset draft={values} onChange={change}>
        <TextField
          label={t`Latitude`}
          hint={t`Degrees north of the equator; south is negative.`}
          autoComplete="off"
          inputMode="decimal"
          {...text('lat')}
        />
        <TextField
          label={t`Longitude`}
          hint={t`Degrees east of Greenwich; west is negative.`}
          autoComplete="off"
          inputMode="decimal"
          {...text('lon')}
        />
      </PlaceFieldset>
      <TextField
        label={t`Link`}
        hint={t`Where others reach what it hosts, such as https://island.example.`}
        optional
        autoComplete="off"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        {...text('link')}
      />
      <RadioCards
        legend={t`Visibility`}
        hint={t`Everybody sees a device, unless you make it private.`}
        options={visibilities}
        value={values.visibility}
        onChange={(visibility) => change({ visibility })}
      />
      {values.visibility === 'public' && !isDemo && (
        <Checkbox
          label={t`Let other installations show it`}
          hint={t`Other installations that follow this one may show its label, place and status too, with a link to its page here.`}
          checked={values.isShared}
          onChange={({ target }) => change({ isShared: target.checked })}
        />
      )}
      <ScheduleFieldset draft={values} problemOf={form.problemOf} onChange={change} />
      <FormActions form={form} submit={submitLabel} busy={busyLabel}>
        {props.children}
      </FormActions>
    </form>
  )
}

const visibilities = [
  {
    value: 'public',
    name: (
      <>
        <Trans>Public</Trans>
        <Globe aria-hidden className="size-3.5 text-muted" />
      </>
    ),
    about: t`Everyone on the internet sees its label, place, status and link.`,
  },
  {
    value: 'private',
    name: (
      <>
        <Trans>Private</Trans>
        <Lock aria-hidden className="size-3.5 text-muted" />
      </>
    ),
    about: t`Only you see it.`,
  },
] as const
