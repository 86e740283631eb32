import { TextArea } from '../../../ui/text-area.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { KindField } from './kind-field.tsx'
import type { NotedField } from './island-draft.ts'
import type { IslandForm } from './use-island-form.ts'

/** The island's name, and the texts that visitors read. */
export function AboutFields({ form }: { form: IslandForm }) {
  return (
    <>
      <TextField
        label="Name"
        hint="The name that visitors see, such as Harbor Books."
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
        hint="One line that says why people should visit."
        {...form.textField('tagline')}
      />
      <LinesField
        label="About"
        hint="Plain text. Line breaks are kept, and links can be clicked."
        form={form}
        field="about"
      />
      <LinesField
        label="Rules"
        hint="What you ask of visitors. People who join accept them. The page of your island shows when you last changed them."
        form={form}
        field="rules"
      />
    </>
  )
}

interface LinesFieldProps {
  label: string
  hint: string
  form: IslandForm
  field: NotedField
}

function LinesField({ label, hint, form, field }: LinesFieldProps) {
  const { onChange, error, note, ...input } = form.textField(field)
  return (
    <Field label={label} optional error={error} note={note} hint={hint}>
      {(wiring) => (
        <TextArea
          {...wiring}
          {...input}
          rows={4}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
