import { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import { NewApiKey as NewApiKeyBody } from '@astropelago/contract/api-keys'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { accountFailure } from '../account-failure.ts'
import { type ShownApiKey, useCreateApiKey } from './api-keys-query.ts'
import { scopeNames } from './scope-names.ts'

const ends = [
  { value: '', name: 'Until it is revoked' },
  { value: '30', name: 'In 30 days' },
  { value: '90', name: 'In 90 days' },
  { value: '365', name: 'In a year' },
] as const

interface Values {
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly days: string
}

const empty: Values = { name: '', scopes: [], days: '90' }

/** The form for a new key. */
export function NewApiKey({ onCreated }: { onCreated: (key: ShownApiKey) => void }) {
  const form = useApiForm({
    values: empty,
    read: readKey,
    send: useCreateApiKey(),
    onSent: onCreated,
    explain: accountFailure,
    keeps: ['scopes', 'days'],
  })
  const { scopes } = form.values
  return (
    <form {...form.wiring} aria-label="New API key" className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Name" autoComplete="off" {...form.text('name')} />
        <SelectField label="Ends" options={ends} {...form.text('days')} />
      </div>
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="mb-2.5 text-sm font-medium text-ink">What it may do</legend>
        {ApiKeyScope.options.toReversed().map((scope) => (
          <Checkbox
            key={scope}
            {...scopeAsText(scope)}
            checked={scopes.includes(scope)}
            onChange={({ target }) => {
              const others = scopes.filter((other) => other !== scope)
              form.change({ scopes: target.checked ? [...others, scope] : others })
            }}
          />
        ))}
      </fieldset>
      <FormError>{form.failure}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={form.isBusy}>
          {form.isBusy ? 'Making…' : 'Make a key'}
        </Button>
      </div>
    </form>
  )
}

function readKey({ name, scopes, days }: Values) {
  return readBy(
    NewApiKeyBody,
    { name, scopes, expiresInDays: days === '' ? null : Number(days) },
    {
      name: name.trim() === '' && 'Give the key a name, such as the program that will use it',
      form: scopes.length === 0 && 'Choose what the key may do',
    },
  )
}

function scopeAsText(scope: ApiKeyScope) {
  const { name, hint } = scopeNames[scope]
  return { label: name, hint }
}
