import { type OwnIsland, pauseEndProblem } from '@astropelago/contract/islands'
import { pauseTextMaxLength } from '@astropelago/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { fromLocalInput, toLocalInput } from '../../../lib/local-time-input.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'

const headingId = 'pause-heading'

/** Pauses an island, with a message to visitors, and ends the pause. */
export function PauseCard({ island }: { island: OwnIsland }) {
  const { id, pause, since } = island
  const wasUntil = pause === null || pause.until === null ? '' : toLocalInput(pause.until)
  const [text, setText] = useState(pause?.text ?? '')
  const [until, setUntil] = useState(wasUntil)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const showToast = useToast()
  const changes = useOwnIslandChanges()
  const pausing = useMutation({
    mutationFn: (end: string | null) => changes.pause(id, { text, until: end }),
    onSuccess: () => showToast({ title: pause === null ? 'Your island is paused' : 'Pause saved' }),
    onError: (error) => setProblems(fieldErrors(error)),
  })
  const continuing = useMutation({
    mutationFn: () => changes.continueAgain(id),
    onSuccess: () => {
      showToast({ title: 'The pause is over' })
      setText('')
      setUntil('')
      // The focused button goes away.
      form.current?.querySelector('button')?.focus()
    },
  })
  // Runs after the field has been marked as invalid.
  useEffect(() => {
    if (Object.keys(problems).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problems])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (pausing.isPending) return
    // An unchanged time keeps its seconds.
    const end =
      until === '' ? null : until === wasUntil ? (pause?.until ?? null) : fromLocalInput(until)
    const problem =
      end === undefined
        ? 'There is no such time.'
        : end === null
          ? undefined
          : pauseEndProblem(Date.parse(end), Date.now())
    setProblems(problem === undefined ? {} : { until: problem })
    if (end !== undefined && problem === undefined) pausing.mutate(end)
  }
  const failure = pausing.error ?? continuing.error
  const isAtField = Object.keys(problems).length > 0
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title={pause === null ? 'Pause this island' : 'This island is paused'}
        description="While your island is paused, only you can enter. An operator of this server who is allowed in can enter too. Visitors who are inside have to leave. The page and the card of your island show the pause. Nobody gets an alert."
      />
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
      <form
        ref={form}
        noValidate
        aria-labelledby={headingId}
        onSubmit={submit}
        className="flex min-w-0 flex-col gap-6"
      >
        <TextField
          label="What visitors read"
          optional
          hint="One sentence, such as “We are moving to a bigger computer.”"
          error={problems['text']}
          name="pause-text"
          autoComplete="off"
          maxLength={pauseTextMaxLength}
          value={text}
          onChange={setText}
        />
        <TextField
          className="sm:max-w-72"
          label="Back at"
          optional
          hint="In your time zone. The pause then ends by itself. Without a time, it lasts until you press Continue."
          error={problems['until']}
          type="datetime-local"
          name="pause-until"
          value={until}
          onChange={(typed) => {
            setUntil(typed)
            setProblems({})
          }}
        />
        <FormError>{isAtField ? undefined : failureText(failure)}</FormError>
        <div>
          <Button
            type="submit"
            size="sm"
            variant={pause === null ? 'default' : 'outline'}
            busy={pausing.isPending}
          >
            {pause === null
              ? pausing.isPending
                ? 'Pausing…'
                : 'Pause this island'
              : pausing.isPending
                ? 'Saving…'
                : 'Save changes'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
