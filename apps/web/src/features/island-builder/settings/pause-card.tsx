import { type OwnIsland, pauseEndProblem, pauseIsland } from '@astropelago/contract/islands'
import { pauseTextMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { translateServerSentence } from '../../../language/server-sentence.ts'
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
  const title = pause === null ? t`Pause this island` : t`This island is paused`
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
    onSent: () => showToast({ title: pause === null ? t`Your island is paused` : t`Pause saved` }),
  })
  const continuing = useMutation({
    mutationFn: () => changes.continueAgain(id),
    onSuccess: () => {
      showToast({ title: t`The pause is over` })
      form.reset()
      // The focused button disappears.
      form.wiring.ref.current?.querySelector('button')?.focus()
    },
  })
  return (
    <Card
      title={title}
      description={t`While your island is paused, only you can enter. An operator of this server who is allowed in can enter too. Visitors who are inside have to leave. The page and the card of your island show the pause. Nobody gets an alert.`}
    >
      {pause !== null && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-island/40 bg-island-soft px-4 py-3 text-sm">
          <p>
            <PauseTimes since={since} until={pause.until} />
          </p>
          <Button size="sm" busy={continuing.isPending} onClick={() => continuing.mutate()}>
            <Trans>Continue</Trans>
          </Button>
        </div>
      )}
      <form {...form.wiring} aria-label={title} className="flex min-w-0 flex-col gap-6">
        <TextField
          label={t`What visitors read`}
          optional
          hint={t`One sentence, such as “We are moving to a bigger computer.”`}
          autoComplete="off"
          maxLength={pauseTextMaxLength}
          {...form.text('text')}
          name="pause-text"
        />
        <TextField
          className="sm:max-w-72"
          label={t`Back at`}
          optional
          hint={t`In your time zone. The pause then ends by itself. Without a time, it lasts until you press Continue.`}
          type="datetime-local"
          {...form.text('until')}
          name="pause-until"
        />
        <FormActions
          form={{ ...form, failure: form.failure ?? failureText(continuing.error) }}
          size="sm"
          variant={pause === null ? 'default' : 'outline'}
          submit={pause === null ? t`Pause this island` : t`Save changes`}
          busy={pause === null ? t`Pausing…` : t`Saving…`}
        />
      </form>
    </Card>
  )
}

function PauseTimes({ since, until }: { since: string | null; until: string | null }) {
  if (since === null) {
    if (until === null) return t`Paused`
    return (
      <Trans>
        Paused, back at <LocalTime at={until} />
      </Trans>
    )
  }
  return until === null ? (
    <Trans>
      Paused since <LocalTime at={since} />
    </Trans>
  ) : (
    <Trans>
      Paused since <LocalTime at={since} />, back at <LocalTime at={until} />
    </Trans>
  )
}

/** `end` is undefined if there is no such time. */
function endProblem(end: string | null | undefined): string | undefined {
  if (end === undefined) return t`There is no such time.`
  const problem = end === null ? undefined : pauseEndProblem(Date.parse(end), Date.now())
  return problem && translateServerSentence(problem)
}
