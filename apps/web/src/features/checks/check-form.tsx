import {
  type CheckDetails,
  type CheckKind,
  type CheckVisibility,
  DnsRecord,
} from '@astropelago/contract/checks'
import { checkPeriodMinS } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { CronFields, ownSchedules } from '../../devices/schedule-fieldset.tsx'
import { ownIslandsQuery } from '../../islands/own-islands-query.ts'
import { type ApiForm, useApiForm } from '../../lib/forms/use-api-form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Fold } from '../../ui/fold.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import {
  type CheckDraft,
  emptyDraft,
  mainFields,
  moreFields,
  readDraft,
  suggestedName,
  type TargetField,
  withKind,
} from './check-draft.ts'
import { kinds } from './check-words.ts'
import { PeriodField } from './period-field.tsx'

interface CheckFormProps<Answer> {
  /** An existing check, which never changes to or from reports by a script. */
  initial?: CheckDraft
  save: (details: CheckDetails) => Promise<Answer>
  onSaved: (answer: Answer) => void
  onCancel: () => void
  submit: { readonly label: string; readonly busy: string }
}

const wide = 'sm:col-span-2'

const allKinds: readonly CheckKind[] = ['http', 'tcp', 'dns', 'certificate', 'ping', 'push']

export function CheckForm<Answer>(props: CheckFormProps<Answer>) {
  const { initial, save, onSaved, onCancel, submit } = props
  const form = useApiForm({
    values: initial ?? emptyDraft,
    read: readDraft,
    send: save,
    onSent: onSaved,
    // The server refuses to look at some addresses.
    fieldOf: ({ kind }) => ({ inside_address: kind === 'http' ? 'target.url' : 'target.host' }),
    // It stays busy until it goes away.
    leavesPage: true,
  })
  const { values, change, text } = form
  const offered = allKinds.filter((kind) => initial === undefined || kind !== 'push')
  return (
    <form {...form.wiring} className="flex min-w-0 flex-col gap-5">
      {initial?.kind !== 'push' && (
        <RadioCards
          legend={t`What to check`}
          options={offered.map((kind, at) =>
            optionOf(kind, offered.length % 2 === 1 && at === offered.length - 1),
          )}
          value={values.kind}
          onChange={(kind) => change(withKind(values, kind))}
        />
      )}
      <div className="grid min-w-0 items-start gap-5 sm:grid-cols-2">
        {mainFields[values.kind].map((name) => (
          <Fragment key={name}>{fields[name](form)}</Fragment>
        ))}
      </div>
      <TextField
        label={t`Name`}
        optional={values.kind !== 'push'}
        placeholder={suggestedName(values)}
        autoComplete="off"
        {...text('name')}
        name="check-name"
      />
      {values.kind !== 'push' && <DeviceField form={form} />}
      {(values.device === '' || values.kind === 'push') && (
        <>
          <RadioCards
            legend={t`Who sees it`}
            options={visibilities}
            value={values.visibility}
            onChange={(visibility) => change({ visibility })}
          />
          <IslandField form={form} />
        </>
      )}
      <MoreFields form={form} />
      <FormActions
        form={form}
        submit={submit.label}
        busy={submit.busy}
        cancelVariant="ghost"
        onCancel={onCancel}
      />
    </form>
  )
}

function optionOf(kind: CheckKind, isWide: boolean) {
  const { name, about, Icon } = kinds[kind]
  return {
    value: kind,
    about,
    ...(isWide && { className: wide }),
    name: (
      <>
        {name}
        <Icon aria-hidden className="size-3.5 text-muted" />
      </>
    ),
  }
}

const visibilities = [
  {
    value: 'private',
    name: t`Only you`,
    about: t`Nobody else sees that it exists.`,
  },
  {
    value: 'public',
    name: t`Everybody`,
    about: t`Others see its name, whether it is up, and its history from now on. Nobody sees the address.`,
  },
] as const satisfies readonly { value: CheckVisibility; name: string; about: string }[]

type Form = ApiForm<CheckDraft>

const typed = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
const digits = { ...typed, inputMode: 'numeric' } as const

const cronFields = {
  cron: 'target.cron.expression',
  timeZone: 'target.cron.timeZone',
} as const

const fields: Readonly<Record<TargetField, (form: Form) => ReactNode>> = {
  url: ({ text }) => (
    <TextField
      label={t`Address`}
      hint={t`Such as https://example.org/health.`}
      className={wide}
      inputMode="url"
      {...typed}
      {...text('target.url')}
    />
  ),
  host: ({ text }) => (
    <TextField
      label={t`Host`}
      hint={t`A name such as example.org, or an IP address.`}
      {...typed}
      {...text('target.host')}
    />
  ),
  port: ({ text }) => <TextField label={t`Port`} {...digits} {...text('target.port')} />,
  record: ({ values, change }) => (
    <SelectField
      label={t`Record`}
      options={DnsRecord.options.map((record) => ({ value: record, name: record }))}
      value={values['target.record']}
      onChange={(chosen) => {
        const record = DnsRecord.options.find((one) => one === chosen)
        if (record) change({ 'target.record': record })
      }}
    />
  ),
  value: ({ text }) => (
    <TextField
      label={t`Expected value`}
      hint={t`One of the values has to be this. Leave it empty to accept any.`}
      className={wide}
      optional
      {...typed}
      {...text('target.value')}
    />
  ),
  days: ({ text }) => (
    <TextField
      label={t`Days it must still be valid`}
      hint={t`With fewer days left, the check is down.`}
      {...digits}
      {...text('target.days')}
    />
  ),
  cron: ({ values, change, problemOf }) => (
    <div className={classNames('flex min-w-0 flex-col gap-4', wide)}>
      <RadioCards
        legend={t`When it reports`}
        options={ownSchedules}
        value={values.schedule}
        onChange={(schedule) => change({ schedule })}
      />
      {values.schedule === 'cron' && (
        <CronFields
          draft={{
            cron: values['target.cron.expression'],
            timeZone: values['target.cron.timeZone'],
          }}
          problemOf={(name) => problemOf(cronFields[name])}
          onChange={({ cron, timeZone }) =>
            change({
              ...(cron !== undefined && { 'target.cron.expression': cron }),
              ...(timeZone !== undefined && { 'target.cron.timeZone': timeZone }),
            })
          }
        />
      )}
    </div>
  ),
  periodS: ({ values, change, problemOf }) =>
    values.kind === 'push' && values.schedule === 'cron' ? null : (
      <PeriodField
        label={values.kind === 'push' ? t`How often it reports` : t`How often`}
        form="every"
        minS={values.kind === 'push' ? 60 : checkPeriodMinS}
        value={values['target.periodS']}
        error={problemOf('target.periodS')}
        onChange={(period) => change({ 'target.periodS': period })}
      />
    ),
  graceS: ({ values, change, problemOf }) => (
    <PeriodField
      label={t`It may be late by`}
      hint={t`Later than that, the check is down.`}
      form="name"
      minS={60}
      value={values['target.graceS']}
      error={problemOf('target.graceS')}
      onChange={(grace) => change({ 'target.graceS': grace })}
    />
  ),
  text: ({ text }) => (
    <TextField
      label={t`Text to find`}
      hint={t`Has to be near the beginning of the answer, such as a word from your page.`}
      optional
      autoComplete="off"
      {...text('target.text')}
    />
  ),
  statuses: ({ text }) => (
    <TextField
      label={t`Good status codes`}
      hint={t`Such as 200, or 200-299, 401.`}
      {...typed}
      {...text('target.statuses')}
    />
  ),
  followsRedirects: ({ values, change }) => (
    <Checkbox
      label={t`Follow redirects`}
      checked={values['target.followsRedirects']}
      onChange={({ target }) => change({ 'target.followsRedirects': target.checked })}
    />
  ),
  timeoutS: ({ text }) => (
    <TextField label={t`Seconds to wait for an answer`} {...digits} {...text('target.timeoutS')} />
  ),
}

/** Opens by itself if something in it is wrong or unusual. */
function MoreFields({ form }: { form: Form }) {
  const names = moreFields[form.values.kind]
  if (names.length === 0) return null
  const isOpen = names.some((name) => {
    const field = `target.${name}` as const
    return form.problemOf(field) !== undefined || form.values[field] !== emptyDraft[field]
  })
  return (
    <Fold title={t`More settings`} isOpen={isOpen}>
      {names.map((name) => (
        <Fragment key={name}>{fields[name](form)}</Fragment>
      ))}
    </Fold>
  )
}

/** What looks: the server, or the agent of one of the user's devices. */
function DeviceField({ form }: { form: Form }) {
  const { values, change, problemOf } = form
  const { data: devices = [] } = useQuery(ownDevicesQuery)
  const isPing = values.kind === 'ping'
  if (devices.length === 0 && !isPing && values.device === '') return null
  const isGone = values.device !== '' && !devices.some(({ id }) => id === values.device)
  return (
    <SelectField
      label={t`Runs from`}
      hint={
        devices.length === 0
          ? t`You have no devices yet. Add the one that is to look first.`
          : values.device === ''
            ? t`For addresses in your own network, choose a device there.`
            : t`Only you see what it finds. Its agent looks where its command line allows it to.`
      }
      error={problemOf('device')}
      value={values.device}
      onChange={(device) => change({ device })}
    >
      <option value="">{isPing ? t`Choose a device` : t`This server`}</option>
      {isGone && <option value={values.device}>{t`A deleted device`}</option>}
      {devices.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

/** Only islands with a link of their own can follow a check. */
function IslandField({ form }: { form: Form }) {
  const { values, change, problemOf } = form
  const { data: islands = [] } = useQuery(ownIslandsQuery)
  const offered = islands.filter(({ id, address: link }) => link !== null || id === values.island)
  if (offered.length === 0) return null
  return (
    <SelectField
      label={t`Your island`}
      hint={t`This island is open while the check is up.`}
      error={problemOf('island')}
      value={values.island}
      onChange={(island) => change({ island })}
    >
      <option value="">
        <Trans>None</Trans>
      </option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
