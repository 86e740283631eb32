import { createChannel, type NewChannel } from '@astropelago/contract/alert-channels'
import type { ComponentProps } from 'react'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { FormActions } from '../../../ui/form-actions.tsx'
import { PasswordField, TextField } from '../../../ui/text-field.tsx'
import { type FormKind, type KindField, kindForms, kindLooks } from './channel-kinds.ts'

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
    name: given ?? kindLooks[kind].name,
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
            label="Name"
            hint="Only you see it, in this list."
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
    .map((field) => ({ ...field, text: typed[nameOf(field)] ?? '' }))
    .filter(({ isOptional, text }) => !isOptional || text.trim() !== '')
  const settings = Object.fromEntries(filled.map(({ name, text }) => [name, text]))
  const missing = filled.filter(({ text }) => text === '')
  return readBy(
    createChannel.body,
    { name: typed['name'], settings: { kind, ...settings } },
    {
      name: typed['name'] === '' && 'Enter it.',
      ...Object.fromEntries(missing.map((field) => [nameOf(field), 'Enter it.'])),
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
