import { createChannel, type NewChannel } from '@astropelago/contract/alert-channels'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { PasswordField, TextField } from '../../../ui/text-field.tsx'
import { type Problems, problemsOf } from '../form-problems.ts'
import { useProblems } from '../use-problems.ts'
import { type FormKind, type KindField, kindForms, kindLooks } from './channel-kinds.ts'

interface ServiceFormProps {
  kind: FormKind
  label: string
  /** The name of an existing channel. The form doesn't ask for it. */
  name?: string
  submit: { readonly label: string; readonly busy: string }
  saving: { readonly isPending: boolean; readonly error: Error | null }
  onSave: (channel: NewChannel, onError: (error: Error) => void) => void
  onClose: () => void
}

/** The few values that one kind of channel needs, and where to find them. */
export function ServiceForm(props: ServiceFormProps) {
  const { kind, label, name: given, submit, saving, onSave, onClose } = props
  const { where, fields } = kindForms[kind]
  const [name, setName] = useState(given ?? kindLooks[kind].name)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useProblems(form)

  const send = () => {
    const filled = fields.flatMap((field) => {
      const text = values[field.name] ?? ''
      return field.isOptional && text.trim() === '' ? [] : [[field.name, text]]
    })
    const typed = { name, settings: { kind, ...Object.fromEntries(filled) } }
    const { success, issues, output } = v.safeParse(createChannel.body, typed)
    setProblems(success ? {} : problemsOf(issues))
    if (!success) return
    onSave(output, (error) => setProblems(refusalOf(error, fields)))
  }
  const isAtField = Object.keys(problems).length > 0
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) send()
      }}
    >
      <p className="max-w-prose text-sm text-muted">{where}</p>
      <div className="grid min-w-0 gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <ValueField
            key={field.name}
            field={field}
            error={problems[`settings.${field.name}`]}
            value={values[field.name] ?? ''}
            onChange={(text) => setValues((others) => ({ ...others, [field.name]: text }))}
          />
        ))}
        {given === undefined && (
          <TextField
            label="Name"
            hint="Only you see it, in this list."
            error={problems['name']}
            name="channel-name"
            autoComplete="off"
            value={name}
            onChange={setName}
          />
        )}
      </div>
      <FormError>{isAtField ? undefined : failureText(saving.error)}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={saving.isPending}>
          {saving.isPending ? submit.busy : submit.label}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface ValueFieldProps {
  field: KindField
  error: string | undefined
  value: string
  onChange: (text: string) => void
}

function ValueField({ field, error, value, onChange }: ValueFieldProps) {
  const { name, label, hint, type, placeholder, isOptional = false } = field
  const Control = type === 'password' ? PasswordField : TextField
  return (
    <Control
      label={label}
      hint={hint}
      error={error}
      optional={isOptional}
      name={`channel-${name}`}
      // The field holds another service's secret, so the browser must not fill in a password for this
      // site.
      autoComplete={type === 'email' ? 'email' : type === 'password' ? 'new-password' : 'off'}
      autoCapitalize="none"
      spellCheck={false}
      {...(type !== 'password' && { type: type ?? 'text' })}
      {...(placeholder !== undefined && { placeholder })}
      value={value}
      onChange={onChange}
    />
  )
}

/** An error about an address that the server refuses to call appears at the field with that address. */
function refusalOf(error: unknown, fields: readonly KindField[]): Problems {
  const isInside = error instanceof ApiError && error.code === 'inside_address'
  const address = fields.find(({ type }) => type === 'url')
  return isInside && address !== undefined
    ? { [`settings.${address.name}`]: error.sentence }
    : fieldErrors(error)
}
