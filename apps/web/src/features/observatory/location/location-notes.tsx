import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import type { DeviceUpdate } from './use-device-update.ts'
import type { useLocationForm } from './use-location-form.ts'

interface LocationNotesProps {
  /** The id for the words that say why there is nothing to save. */
  messageId: string
  form: ReturnType<typeof useLocationForm>
  update: DeviceUpdate
}

/** What came of the form, and who gets to know the place. */
export function LocationNotes({ messageId, form, update }: LocationNotesProps) {
  const { notice, canSave, isKept, isOvertaken, saved } = form
  return (
    <div className="flex flex-col gap-2 text-sm">
      {/* On the page before its words, so that they are read out when they come. */}
      <output className="flex items-start gap-2 empty:sr-only">
        {notice?.tone === 'done' && (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        )}
        {notice?.tone === 'failed' && (
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        )}
        {notice === undefined && !canSave && (
          <span id={messageId} className={form.hasCoordinates ? 'text-danger' : 'text-muted'}>
            Enter valid lat/lon
          </span>
        )}
        {notice !== undefined && <span className="min-w-0">{notice.text}</span>}
      </output>
      {!isKept && saved !== undefined && (
        <p className="text-muted">
          Your browser refused to store it: it is gone when the page is loaded again.
        </p>
      )}
      {isOvertaken && (
        <p className="flex flex-wrap items-center gap-x-3 text-muted">
          {saved === undefined
            ? 'Another tab has cleared the saved location.'
            : 'Another tab has saved another location.'}
          {saved !== undefined && (
            <Button variant="link" size="sm" onClick={form.takeOver}>
              Show it here
            </Button>
          )}
        </p>
      )}
      <UpdateLine update={update} />
      <p className="text-xs text-muted">
        {update.host === undefined
          ? 'Kept in this browser only; nothing is sent.'
          : `Kept in this browser, and sent to ${update.host} with each save.`}
      </p>
    </div>
  )
}

/** Whether the service that the build names knows of the place. */
function UpdateLine({ update: { host, state, reason, retry } }: { update: DeviceUpdate }) {
  return (
    <output className="flex flex-wrap items-center gap-x-3 text-muted empty:sr-only">
      {state === 'sending' && `Telling ${host}…`}
      {state === 'sent' && `${host} knows this location.`}
      {state === 'failed' && (
        <>
          <span>{`Saved here, but ${host} was not told: ${reason}.`}</span>
          <Button variant="link" size="sm" onClick={retry}>
            Retry
          </Button>
        </>
      )}
    </output>
  )
}
