import type { OwnDevice } from '@astropelago/contract/devices'
import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DeviceForm } from '../devices/device-form.tsx'
import { ListFailure } from '../devices/list-failure.tsx'
import { useOwnDeviceChanges } from '../devices/own-device-changes.ts'
import { DeviceChoices } from './device-choices.tsx'
import { createFailure } from './failure-texts.ts'

interface ChooseDeviceProps {
  query: UseQueryResult<OwnDevice[]>
  selectedId: string | undefined
  onSelect: (id: string) => void
}

/** The first step: one of the user's devices, or a new one. */
export function ChooseDevice({ query, selectedId, onSelect }: ChooseDeviceProps) {
  const { register } = useOwnDeviceChanges()
  const [isCreating, setIsCreating] = useState(false)
  const devices = query.data ?? []
  const hasNone = query.isSuccess && devices.length === 0
  // With nothing to choose from, the form is what one came for.
  const isFormShown = isCreating || hasNone

  // What had the focus goes when the form opens or closes: it moves on to what took its place.
  const area = useRef<HTMLDivElement>(null)
  const wasFormShown = useRef(false)
  useEffect(() => {
    const wanted = isCreating ? 'form input' : 'input:checked, button'
    const isClosed = wasFormShown.current && !isFormShown
    if (isCreating || isClosed) area.current?.querySelector<HTMLElement>(wanted)?.focus()
    wasFormShown.current = isFormShown
  }, [isCreating, isFormShown])

  return (
    <div ref={area} className="flex min-w-0 flex-col gap-5">
      {devices.length > 0 && (
        <DeviceChoices devices={devices} selectedId={selectedId} onSelect={onSelect} />
      )}
      {selectedId === undefined && <ListFailure query={query} of="devices" />}
      {!isFormShown && (
        <Button variant="outline" className="self-start" onClick={() => setIsCreating(true)}>
          <Plus aria-hidden />
          Create a device
        </Button>
      )}
      {isFormShown && (
        <section
          aria-label="New device"
          className={classNames(
            'flex min-w-0 flex-col gap-5',
            devices.length > 0 && 'border-t border-line pt-5',
          )}
        >
          {devices.length > 0 ? (
            <h3 className="font-semibold">A new device</h3>
          ) : (
            <p className="text-sm text-muted">
              Your first one: give it a name and a place, then connect it.
            </p>
          )}
          <DeviceForm
            save={register}
            onSaved={({ id }) => {
              setIsCreating(false)
              onSelect(id)
            }}
            explain={createFailure}
            submitLabel="Create device"
            busyLabel="Creating…"
            clears
          >
            {devices.length > 0 && (
              <Button variant="ghost" onClick={() => setIsCreating(false)}>
                Cancel
              </Button>
            )}
          </DeviceForm>
        </section>
      )}
    </div>
  )
}
