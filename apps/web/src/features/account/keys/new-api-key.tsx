import { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Select } from '../../../ui/select.tsx'
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

const nameMissing = 'Give the key a name, such as the program that will use it'
const scopeMissing = 'Choose what the key may do'

/** The form for a new key. */
export function NewApiKey({ onCreated }: { onCreated: (key: ShownApiKey) => void }) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>([])
  const [days, setDays] = useState<string>('90')
  const [problem, setProblem] = useState<typeof nameMissing | typeof scopeMissing>()
  const nameInput = useRef<HTMLInputElement>(null)
  const creating = useCreateApiKey((created) => {
    setName('')
    onCreated(created)
  })
  const submit = () => {
    const missing =
      name.trim() === '' ? nameMissing : scopes.length === 0 ? scopeMissing : undefined
    setProblem(missing)
    if (missing === nameMissing) nameInput.current?.focus()
    if (missing !== undefined) return
    const expiresInDays = days === '' ? null : Number(days)
    creating.mutate({ name, scopes: [...scopes], expiresInDays })
  }
  return (
    <form
      noValidate
      aria-label="New API key"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!creating.isPending) submit()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          error={problem === nameMissing ? problem : undefined}
          ref={nameInput}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <Field label="Ends">
          {(wiring) => (
            <Select {...wiring} value={days} onChange={({ target }) => setDays(target.value)}>
              {ends.map((end) => (
                <option key={end.value} value={end.value}>
                  {end.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="mb-2.5 text-sm font-medium text-ink">What it may do</legend>
        {ApiKeyScope.options.toReversed().map((scope) => (
          <Checkbox
            key={scope}
            {...scopeAsText(scope)}
            checked={scopes.includes(scope)}
            onChange={({ target }) =>
              setScopes((chosen) =>
                target.checked ? [...chosen, scope] : chosen.filter((other) => other !== scope),
              )
            }
          />
        ))}
      </fieldset>
      <FormError>
        {problem === scopeMissing
          ? problem
          : creating.isError
            ? accountFailure(creating.error)
            : undefined}
      </FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={creating.isPending}>
          {creating.isPending ? 'Making…' : 'Make a key'}
        </Button>
      </div>
    </form>
  )
}

function scopeAsText(scope: ApiKeyScope) {
  const { name, hint } = scopeNames[scope]
  return { label: name, hint }
}
