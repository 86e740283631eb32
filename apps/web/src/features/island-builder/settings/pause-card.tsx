import { type OwnIsland, pauseEndProblem, pauseIsland } from '@astropelago/contract/islands'
import { pauseTextMaxLength } from '@astropelago/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { fromLocalInput, toLocalInput } from '../../../lib/local-time-input.ts'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Card } from '../../../ui/card.tsx'
import { useToast } from '../../../ui/use-toast.ts'

export function PauseCard({ island }: { island: OwnIsland }) {
  const { id, pause, since } = island
  const wasUntil = pause === null || pause.until === null ? '' : toLocalInput(pause.until)
  const title = pause === null ? 'Pause this island' : 'This island is paused'
  const showToast = useToast()
  const changes = useOwnIslandChanges()
  const form = useApiForm({
    values: { text: pause?.text ?? '', until: wasUntil },
    read: ({ text, until }) => {
      // An unchanged time keeps its seconds.
      const typedEnd = until === '' ? null : fromLocalInput(until)
      const end = until === wasUntil ? (pause?.until ?? null) : typedEnd
      return readBy(pauseIsland.body, { text, until: end }, { until: endProblem(end) })
    },
    send: (body) => changes.pause(id, body),
    onSent: () => showToast({ title: pause === null ? 'Your island is paused' : 'Pause saved' }),
  })
  const continuing = useMutation({
    mutationFn: () => changes.continueAgain(id),
    onSuccess: () => {
      showToast({ title: 'The pause is over' })
      form.reset()
      // The focused button disappears.
      form.wiring.ref.current?.querySelector('button')?.focus()
    },
  })
  return (
    <Card
      title={title}
      description="While your island is paused, only you can enter. An operator of this server who is allowed in can enter too. Visitors who are inside have to leave. The page and the card of your island show the pause. Nobody gets an alert."
    >
      {pause !== null && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-island/40 bg-island-soft px-4 py-3 text-sm">
          <p>
            {since === null ? (
              'Paused'
            ) : (
              <>
                Paused since <LocalTime at={since} />
              </>
            )}
            {pause.until !== null && (
              <>
                , back at <LocalTime at={pause.until} />
              </>
            )}
          </p>
          <Button size="sm" busy={continuing.isPending} onClick={() => continuing.mutate()}>
            Continue
          </Button>
        </div>
      )}
      <form {...form.wiring} aria-label={title} className="flex min-w-0 flex-col gap-6">
        <TextField
          label="What visitors read"
          optional
          hint="One sentence, such as “We are moving to a bigger computer.”"
          autoComplete="off"
          maxLength={pauseTextMaxLength}
          {...form.text('text')}
          name="pause-text"
        />
        <TextField
          className="sm:max-w-72"
          label="Back at"
          optional
          hint="In your time zone. The pause then ends by itself. Without a time, it lasts until you press Continue."
          type="datetime-local"
          {...form.text('until')}
          name="pause-until"
        />
        <FormActions
          form={{ ...form, failure: form.failure ?? failureText(continuing.error) }}
          size="sm"
          variant={pause === null ? 'default' : 'outline'}
          submit={pause === null ? 'Pause this island' : 'Save changes'}
          busy={pause === null ? 'Pausing…' : 'Saving…'}
        />
      </form>
    </Card>
  )
}

/** `end` is undefined if there is no such time. */
function endProblem(end: string | null | undefined): string | undefined {
  if (end === undefined) return 'There is no such time.'
  return end === null ? undefined : pauseEndProblem(Date.parse(end), Date.now())
}
