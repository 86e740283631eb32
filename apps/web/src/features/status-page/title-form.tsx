import { updateStatusPage } from '@astropelago/contract/status-pages'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { useChangeStatusPage } from './status-page-query.ts'

/** The page's title. Defaults to the username. */
export function TitleForm({ title, username }: { title: string | null; username: string }) {
  const showToast = useToast()
  const form = useApiForm({
    values: { title: title ?? '' },
    read: (typed) =>
      readBy(updateStatusPage.body, { title: typed.title.trim() === '' ? null : typed.title }),
    send: useChangeStatusPage().mutateAsync,
    onSent: () => showToast({ title: 'Title saved' }),
    onlyField: 'title',
  })
  return (
    <form
      {...form.wiring}
      aria-label="Title"
      className="flex flex-col items-start gap-4 border-t border-line pt-5"
    >
      <TextField
        label="Title"
        optional
        className="w-full max-w-md"
        hint={`The heading of your page. If you leave it empty, the heading is ${username}.`}
        autoComplete="off"
        {...form.text('title')}
      />
      <Button type="submit" variant="outline" size="sm" busy={form.isBusy}>
        Save title
      </Button>
    </form>
  )
}
