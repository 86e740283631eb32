import { updateStatusPage } from '@astropelago/contract/status-pages'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { failureText } from '../../lib/failure-text.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { useChangeStatusPage } from './status-page-query.ts'

/** The page's title. Defaults to the username. */
export function TitleForm({ title, username }: { title: string | null; username: string }) {
  const [typed, setTyped] = useState(title ?? '')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const showToast = useToast()
  const saving = useChangeStatusPage((settings) => {
    setTyped(settings.title ?? '')
    showToast({ title: 'Title saved' })
  })
  const submit = () => {
    const body = { title: typed.trim() === '' ? null : typed }
    const { issues } = v.safeParse(updateStatusPage.body, body)
    setProblem(issues?.[0].message)
    if (issues) input.current?.focus()
    else saving.mutate(body)
  }
  return (
    <form
      noValidate
      aria-label="Title"
      className="flex flex-col items-start gap-4 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) submit()
      }}
    >
      <TextField
        label="Title"
        optional
        className="w-full max-w-md"
        error={problem ?? failureText(saving.error)}
        hint={`The heading of your page. If you leave it empty, the heading is ${username}.`}
        ref={input}
        name="title"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
      <Button type="submit" variant="outline" size="sm" busy={saving.isPending}>
        Save title
      </Button>
    </form>
  )
}
