import {
  type AlertChannel,
  confirmChannel,
  createChannel,
  type NewChannel,
  sendChannelCode,
  updateChannel,
} from '@astropelago/contract/alert-channels'
import { channelCodeHours } from '@astropelago/contract/limits'
import { readCode } from '@astropelago/contract/one-time-code'
import { plural, t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { PasswordField, TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { type FormKind, type KindField, kindForms, kindLabels } from './channel-kinds.ts'
import { channelsQuery, useUpdateChannel } from './channels-query.ts'

interface ServiceFormProps<Answer> {
  kind: FormKind
  label: string
  /** The name of an existing channel. The form doesn't ask for it, and takes the focus. */
  name?: string
  submit: { readonly label: string; readonly busy: string }
  send: (channel: NewChannel) => Promise<Answer>
  onSent: (answer: Answer) => void
  onClose: () => void
}

/** The few values that one kind of channel needs, and where to find them. */
export function ServiceForm<Answer>(props: ServiceFormProps<Answer>) {
  const { kind, label, name: given, submit, send, onSent, onClose } = props
  const { where, fields } = kindForms[kind]
  const address = fields.find(({ type }) => type === 'url')
  const values: Readonly<Record<string, string>> = {
    name: given ?? kindLabels[kind].name,
    ...Object.fromEntries(fields.map((field) => [nameOf(field), ''])),
  }
  const form = useApiForm({
    values,
    read: (typed) => readChannel(kind, typed),
    send,
    onSent,
    // The server refuses to call some addresses.
    ...(address && { fieldOf: { inside_address: nameOf(address) } }),
    takesFocus: given !== undefined,
  })
  return (
    <form {...form.wiring} aria-label={label} className="flex min-w-0 flex-col gap-4">
      <p className="max-w-prose text-sm text-muted">{where}</p>
      <div className="grid min-w-0 gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <ValueField key={field.name} field={field} {...form.text(nameOf(field))} />
        ))}
        {given === undefined && (
          <TextField
            label={t`Name`}
            hint={t`Only you see it, in this list.`}
            autoComplete="off"
            {...form.text('name')}
            name="channel-name"
          />
        )}
      </div>
      <FormActions
        form={form}
        size="sm"
        submit={submit.label}
        busy={submit.busy}
        cancelVariant="ghost"
        onCancel={onClose}
      />
    </form>
  )
}

/** The name of a field's value in the contract. */
function nameOf({ name }: KindField): string {
  return `settings.${name}`
}

function readChannel(kind: FormKind, typed: Readonly<Record<string, string>>) {
  const { fields } = kindForms[kind]
  const filled = fields
    .map((field) => [field, typed[nameOf(field)] ?? ''] as const)
    .filter(([{ isOptional }, text]) => !isOptional || text.trim() !== '')
  const settings = Object.fromEntries(filled.map(([{ name }, text]) => [name, text]))
  const missing = filled.filter(([, text]) => text === '')
  return readBy(
    createChannel.body,
    { name: typed['name'], settings: { kind, ...settings } },
    {
      name: typed['name'] === '' && t`Enter it.`,
      ...Object.fromEntries(missing.map(([field]) => [nameOf(field), t`Enter it.`])),
    },
  )
}

function ValueField({
  field,
  ...input
}: Omit<ComponentProps<typeof TextField>, 'label' | 'hint'> & { field: KindField }) {
  const { name, label, hint, type, placeholder, isOptional = false } = field
  const Control = type === 'password' ? PasswordField : TextField
  return (
    <Control
      label={label}
      hint={hint}
      optional={isOptional}
      // The field holds another service's secret, so the browser must not fill in a password for this
      // site.
      autoComplete={type === 'email' ? 'email' : type === 'password' ? 'new-password' : 'off'}
      autoCapitalize="none"
      spellCheck={false}
      {...(type !== 'password' && { type: type ?? 'text' })}
      {...(placeholder !== undefined && { placeholder })}
      {...input}
      name={`channel-${name}`}
    />
  )
}

export function RenameChannel(props: { channel: AlertChannel; onClose: () => void }) {
  const {
    channel: { id, name },
    onClose,
  } = props
  const form = useApiForm({
    values: { name },
    read: (typed) => readBy(updateChannel.body, typed),
    send: useUpdateChannel(id),
    onSent: onClose,
    onlyField: 'name',
    takesFocus: true,
  })
  return (
    <form {...form.wiring} aria-label={t`Rename ${name}`} className="flex flex-col gap-4">
      <TextField label={t`Name`} autoComplete="off" {...form.text('name')} name="channel-name" />
      <FormActions
        form={form}
        size="sm"
        submit={t`Save name`}
        busy={t`Saving…`}
        cancelVariant="ghost"
        onCancel={onClose}
      />
    </form>
  )
}

/**
 * Changes a channel's target. The server never returns the old values, so the form asks for all of them.
 */
export function RedirectChannel(props: {
  channel: AlertChannel
  kind: FormKind
  onClose: () => void
}) {
  const { channel, kind, onClose } = props
  const { id, name } = channel
  const showToast = useToast()
  const update = useUpdateChannel(id)
  return (
    <ServiceForm
      kind={kind}
      label={t`Where ${name} sends`}
      name={name}
      submit={{ label: t`Use this address`, busy: t`Saving…` }}
      send={({ settings }) => update({ settings })}
      onSent={() => {
        showToast({ title: t`${name} has a new address` })
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** Takes the code sent to an address, for users who read their e-mail on another device. */
export function ConfirmAddress(props: { channel: AlertChannel; onConfirmed: () => void }) {
  const { channel, onConfirmed } = props
  const { id, target, state } = channel
  const client = useQueryClient()
  const showToast = useToast()
  const sending = useMutation({
    mutationFn: () => call(sendChannelCode, { params: { id } }),
    onSuccess: () => showToast({ title: t`Check your mail` }),
  })
  const form = useApiForm({
    values: { code: '' },
    read: ({ code }) =>
      readBy(
        confirmChannel.body,
        { code: readCode(code) },
        {
          code:
            readCode(code) === undefined && t`A code has five groups of five letters and digits.`,
        },
      ),
    send: (body) => call(confirmChannel, { body }),
    onSent: async () => {
      showToast({ title: t`${target} is confirmed` })
      onConfirmed()
      // The response doesn't say which channel the code belongs to.
      await client.invalidateQueries(channelsQuery)
    },
    onlyField: 'code',
  })
  return (
    <form
      {...form.wiring}
      aria-label={t`Confirm ${target}`}
      className="flex min-w-0 flex-col gap-4 rounded-control bg-raised p-4"
    >
      <TextField
        label={t`Code from the mail`}
        hint={t`Or open the link in the mail. Both work for ${plural(channelCodeHours, { one: '# hour', other: '# hours' })}.`}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.text('code')}
      />
      <FormActions
        form={{ failure: failureText(sending.error), isBusy: form.isBusy }}
        size="sm"
        submit={t`Confirm`}
        busy={t`Confirming…`}
      >
        <Button
          variant="outline"
          size="sm"
          busy={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {state === 'ended' ? t`Send a code` : t`Send another code`}
        </Button>
      </FormActions>
    </form>
  )
}
