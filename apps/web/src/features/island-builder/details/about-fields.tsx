import { TextArea } from '../../../ui/text-area.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { KindField } from './kind-field.tsx'
import type { IslandForm } from './use-island-form.ts'

/** What an island is called, and what others read of it. */
export function AboutFields({ form }: { form: IslandForm }) {
  const { onChange, error, note, ...about } = form.textField('about')
  return (
    <>
      <TextField
        label="Name"
        hint="What visitors know it by, such as Harbor Books."
        {...form.textField('name')}
      />
      <KindField
        value={form.draft.kind}
        error={form.errors['kind']}
        onChange={(kind) => form.change({ kind })}
      />
      <TextField
        label="Tagline"
        optional
        hint="One line that says why to come by."
        {...form.textField('tagline')}
      />
      <Field
        label="About"
        optional
        error={error}
        note={note}
        hint="Plain text. Line breaks are kept, and links can be clicked."
      >
        {(wiring) => (
          <TextArea
            {...wiring}
            {...about}
            rows={4}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
    </>
  )
}
