import { t } from '@lingui/core/macro'
import { pagePathMaxLength } from '@astropelago/contract/limits'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { FormActions } from '../../../ui/form-actions.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { verbatimInput } from '../../../ui/verbatim-input.ts'
import { pathProblem, refusalText, tidyPath } from './page-paths.ts'

interface PathFormProps {
  label: string
  submit: string
  path: string
  taken: readonly string[]
  send: (path: string) => Promise<unknown>
  onSent: (path: string) => void
  onCancel: () => void
}

/** Asks for the path of a file. */
export function PathForm({ label, submit, path, taken, send, onSent, onCancel }: PathFormProps) {
  const form = useApiForm({
    values: { path },
    read: (values) => {
      const body = tidyPath(values.path)
      const problem = pathProblem(body, taken)
      return problem === undefined ? { body } : { problems: { path: problem } }
    },
    send: async (body: string) => {
      await send(body)
      return body
    },
    onSent,
    explain: refusalText,
    onlyField: 'path',
    takesFocus: true,
  })
  return (
    <form {...form.wiring} aria-label={label} className="flex flex-col gap-3 p-3">
      <TextField
        label={t`Name`}
        hint={t`Folders are part of it: pictures/cat.html`}
        maxLength={pagePathMaxLength}
        {...verbatimInput}
        {...form.text('path')}
      />
      <FormActions form={form} size="sm" submit={submit} onCancel={onCancel} />
    </form>
  )
}
