import type { OwnDevice } from '@astropelago/contract/devices'
import type { UseQueryResult } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import Plus from 'virtual:icon/plus'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DeviceForm } from '../../devices/device-form.tsx'
import { ListFailure } from '../../lib/list-failure.tsx'
import { useOwnDeviceChanges } from '../../devices/own-device-changes.ts'
import { DeviceChoices } from './device-choices.tsx'
import { createFailure } from './failure-texts.ts'
import { deviceDraft } from './kept-draft.ts'

interface ChooseDeviceProps {
  query: UseQueryResult<OwnDevice[]>
  selectedId: string | undefined
  onSelect: (id: string) => void
  /** Whether the form for a new device is open beside the existing devices. */
  isCreating: boolean
  onCreating: (isCreating: boolean) => void
  /** The element around the form for a new device, while it is shown. */
  newDevice: RefObject<HTMLElement | null>
}

/** The first step: an existing device or a new one. */
export function ChooseDevice(props: ChooseDeviceProps) {
  const { query, selectedId, onSelect, isCreating, onCreating, newDevice } = props
  const { register } = useOwnDeviceChanges()
  const devices = query.data ?? []
  const hasNone = query.isSuccess && devices.length === 0
  // Without devices to choose from, the form is all that the user needs.
  const isFormShown = isCreating || hasNone

  // Opening or closing the form removes the focused element, so the focus moves to its replacement.
  const area = useRef<HTMLDivElement>(null)
  const wasFormShown = useRef(isFormShown)
  useEffect(() => {
    const isChanged = wasFormShown.current !== isFormShown
    wasFormShown.current = isFormShown
    const isFocusKept = area.current?.contains(document.activeElement) ?? false
    if (!isChanged || hasNone || isFocusKept) return
    const wanted = isFormShown ? 'form input' : 'input:checked, button'
    area.current?.querySelector<HTMLElement>(wanted)?.focus()
  }, [isFormShown, hasNone])

  const closeForm = () => {
    deviceDraft.clear()
    onCreating(false)
  }

  return (
    <div ref={area} className="flex min-w-0 flex-col gap-5">
      {devices.length > 0 && (
        <DeviceChoices devices={devices} selectedId={selectedId} onSelect={onSelect} />
      )}
      {selectedId === undefined && <ListFailure query={query} of="devices" />}
      {!isFormShown && (
        <Button variant="outline" className="self-start" onClick={() => onCreating(true)}>
          <Plus aria-hidden />
          Create a device
        </Button>
      )}
      {isFormShown && (
        <section
          ref={newDevice}
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
              This is your first device. Give it a name and a place, then connect it.
            </p>
          )}
          <DeviceForm
            draft={deviceDraft}
            save={register}
            onSaved={({ id }) => {
              closeForm()
              onSelect(id)
            }}
            explain={createFailure}
            submitLabel="Create device"
            busyLabel="Creating…"
          >
            {devices.length > 0 && (
              <Button variant="ghost" onClick={closeForm}>
                Cancel
              </Button>
            )}
          </DeviceForm>
        </section>
      )}
    </div>
  )
}
