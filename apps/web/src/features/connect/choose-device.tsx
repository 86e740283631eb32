import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { type RefObject, useEffect, useId, useRef } from 'react'
import Plus from 'virtual:icon/plus'
import { DeviceDraft } from '../../devices/device-draft.ts'
import { DeviceForm } from '../../devices/device-form.tsx'
import { useOwnDeviceChanges } from '../../devices/own-device-changes.ts'
import { keptDraft } from '../../lib/kept-drafts.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { RadioCard } from '../../ui/radio-card.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { createFailure } from './failure-texts.ts'

interface ChooseDeviceProps {
  query: UseQueryResult<OwnDevice[]>
  selectedId: string | undefined
  onSelect: (id: string) => void
  isCreating: boolean
  onCreating: (isCreating: boolean) => void
  newDevice: RefObject<HTMLElement | null>
}

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
          <Trans>Create a device</Trans>
        </Button>
      )}
      {isFormShown && (
        <section
          ref={newDevice}
          aria-label={t`New device`}
          className={classNames(
            'flex min-w-0 flex-col gap-5',
            devices.length > 0 && 'border-t border-line pt-5',
          )}
        >
          {devices.length > 0 ? (
            <h3 className="font-semibold">
              <Trans>A new device</Trans>
            </h3>
          ) : (
            <p className="text-sm text-muted">
              <Trans>This is your first device. Give it a name and a place, then connect it.</Trans>
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
            submitLabel={t`Create device`}
            busyLabel={t`Creating…`}
          >
            {devices.length > 0 && (
              <Button variant="ghost" onClick={closeForm}>
                <Trans>Cancel</Trans>
              </Button>
            )}
          </DeviceForm>
        </section>
      )}
    </div>
  )
}

const shownIdLength = 6

interface DeviceChoicesProps {
  devices: readonly OwnDevice[]
  selectedId: string | undefined
  onSelect: (id: string) => void
}

/** The user's devices as a choice. A long list scrolls inside its own box. */
function DeviceChoices({ devices, selectedId, onSelect }: DeviceChoicesProps) {
  const name = useId()
  const list = useRef<HTMLDivElement>(null)

  // A single device gets the focus, so that one key press selects it.
  const isOnlyWaiting = devices.length === 1 && selectedId === undefined
  useEffect(() => {
    if (isOnlyWaiting) list.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isOnlyWaiting])

  useEffect(() => {
    if (selectedId === undefined) return
    // `scrollIntoView` would scroll the page as well.
    const box = list.current
    const chosen = box?.querySelector<HTMLElement>('label:has(:checked)')
    if (!box || !chosen) return
    const top = chosen.offsetTop
    const isInView =
      top >= box.scrollTop && top + chosen.offsetHeight <= box.scrollTop + box.clientHeight
    if (!isInView) box.scrollTop = top - (box.clientHeight - chosen.offsetHeight) / 2
  }, [selectedId])

  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">
        <Trans>Your devices</Trans>
      </legend>
      <div ref={list} className="relative -m-1 flex max-h-80 flex-col gap-2 overflow-y-auto p-1">
        {devices.map(({ id, label, status }) => (
          <RadioCard
            key={id}
            name={name}
            checked={id === selectedId}
            onChange={() => onSelect(id)}
            onKeyDown={(event) => {
              // Browsers submit the form on Enter, but there is no form here.
              if (event.key === 'Enter') onSelect(id)
            }}
            align="center"
            className="min-h-13 shrink-0"
          >
            <span className="flex min-w-0 flex-1 flex-col gap-x-4 sm:flex-row sm:items-center">
              <bdi className="text-sm font-medium wrap-anywhere">{label}</bdi>
              <span title={id} className="font-mono text-xs text-muted sm:shrink-0">
                {id.slice(0, shownIdLength)}
              </span>
            </span>
            <StatusBadge status={status} />
          </RadioCard>
        ))}
      </div>
    </fieldset>
  )
}

export const deviceDraft = keptDraft('connect-device.v1', DeviceDraft)
