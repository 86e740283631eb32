import { type FormEvent, useId, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { paths } from '../../../paths.ts'

const fields = [
  { name: 'actor', label: 'Who', placeholder: 'user:ada' },
  { name: 'action', label: 'What', placeholder: 'user.disabled' },
  { name: 'subject', label: 'To whom or what', placeholder: 'user:eve' },
] as const

export type AuditFilterValues = Partial<Record<(typeof fields)[number]['name'], string>>

/** The filter in the address. */
export function filterOfAddress(parameters: URLSearchParams): AuditFilterValues {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = parameters.get(name)?.trim().slice(0, 128) ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  )
}

/** The filter's form. It applies on Enter or the button. */
export function AuditFilter() {
  const [parameters] = useSearchParams()
  // A changed address, as by the Back button, resets the form.
  return <FilterForm key={parameters.toString()} asked={filterOfAddress(parameters)} />
}

function FilterForm({ asked }: { asked: AuditFilterValues }) {
  const navigate = useNavigate()
  const hintId = useId()
  const [draft, setDraft] = useState<AuditFilterValues>(asked)
  const show = (wanted: AuditFilterValues) => {
    const filter = filterOfAddress(new URLSearchParams(wanted))
    void navigate(paths.mothership('audit', filter), { preventScrollReset: true })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show(draft)
  }
  return (
    <search>
      <form
        onSubmit={submit}
        className="grid items-end gap-4 sm:grid-cols-3 lg:grid-cols-[repeat(3,minmax(0,1fr))_auto]"
      >
        {fields.map(({ name, label, placeholder }) => (
          <Field key={name} label={label}>
            {(wiring) => (
              <Input
                {...wiring}
                aria-describedby={hintId}
                maxLength={128}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                placeholder={placeholder}
                value={draft[name] ?? ''}
                onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <div className="flex gap-2">
          <Button type="submit" variant="outline">
            Look
          </Button>
          {Object.keys(asked).length > 0 && (
            <Button variant="ghost" onClick={() => show({})}>
              Show all
            </Button>
          )}
        </div>
        <p id={hintId} className="text-xs text-muted sm:col-span-full">
          Whole names, such as user:ada or operator:console; of what was done the beginning is
          enough, such as user. or password.
        </p>
      </form>
    </search>
  )
}
