import { type OperatorDevice, removeDevice } from '@astropelago/contract/operator'
import { showSubject } from '@astropelago/contract/reports'
import { useState } from 'react'
import { Link } from 'react-router'
import EyeOff from 'virtual:icon/eye-off'
import { call } from '../../../lib/call.ts'
import { NameLink } from '../../../lib/name-link.tsx'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { DeviceLink } from '../../../devices/device-link.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { AtTime } from '../at-time.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { HideDialog } from '../hide-dialog.tsx'
import { useAction } from '../operator-query.ts'

/** `owner` is set in lists with devices of several users. */
type ShownDevice = OperatorDevice & { readonly owner?: string }

/** The open dialog, and its device. */
interface Opened {
  readonly dialog: 'hide' | 'show' | 'delete'
  readonly device: OperatorDevice
}

const dialogs = { hide: HideDeviceDialog, show: ShowDialog, delete: DeleteDialog } as const

interface DeviceItemsProps {
  readonly name: string
  readonly devices: readonly ShownDevice[]
  /** Whether the owner's account is disabled, which hides the devices. */
  readonly isOff?: boolean
}

/** Devices and the actions on each, without locations, which are the owners' business. */
export function DeviceItems({ name, devices, isOff = false }: DeviceItemsProps) {
  const [opened, setOpened] = useState<Opened>()
  const Chosen = opened === undefined ? undefined : dialogs[opened.dialog]
  return (
    <>
      <ul aria-label={name} className="flex flex-col">
        {devices.map((device) => (
          <DeviceItem key={device.id} device={device} isOff={isOff} onOpen={setOpened} />
        ))}
      </ul>
      {opened !== undefined && Chosen !== undefined && (
        <Chosen device={opened.device} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}

interface DeviceItemProps {
  readonly device: ShownDevice
  readonly isOff: boolean
  readonly onOpen: (opened: Opened) => void
}

function DeviceItem({ device, isOff, onOpen }: DeviceItemProps) {
  const { id, label, visibility, status, link, lastSeenAt, hidden } = device
  const hasPage = visibility === 'public' && hidden === null && !isOff
  return (
    <li className="flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line py-4 first:pt-0 last:border-0 last:pb-0">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="text-sm font-medium wrap-anywhere">
          {hasPage ? <NameLink to={paths.device(id)}>{label}</NameLink> : <bdi>{label}</bdi>}
        </h3>
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
          <StatusBadge status={status} />
          <span>{visibility}</span>
          {device.owner !== undefined && (
            <span>
              of{' '}
              <Link
                to={paths.mothership('users', { user: device.owner })}
                className="text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current"
              >
                {device.owner}
              </Link>
            </span>
          )}
          <span>
            {lastSeenAt === null ? (
              'never seen'
            ) : (
              <>
                seen <AtTime at={lastSeenAt} />
              </>
            )}
          </span>
          {link !== null && (
            <span className="flex max-w-72 min-w-0">
              <DeviceLink link={link} />
            </span>
          )}
        </p>
        {hidden !== null && (
          <p className="flex items-start gap-2 text-xs text-danger">
            <EyeOff aria-hidden className="mt-0.5 size-3.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              Hidden since <AtTime at={hidden.at} />: {hidden.reason}
            </span>
          </p>
        )}
        <p className="font-mono text-xs wrap-anywhere text-muted">{id}</p>
      </div>
      <div className="flex shrink-0 gap-2">
        {hidden === null ? (
          <Button
            variant="outline"
            size="sm"
            aria-label={`Hide ${label}`}
            onClick={() => onOpen({ dialog: 'hide', device })}
          >
            Hide
          </Button>
        ) : (
          <Button
            variant="outline"
            size="sm"
            aria-label={`Show ${label} again`}
            onClick={() => onOpen({ dialog: 'show', device })}
          >
            Show again
          </Button>
        )}
        <Button
          variant="outline"
          size="sm"
          aria-label={`Delete ${label}`}
          onClick={() => onOpen({ dialog: 'delete', device })}
        >
          Delete
        </Button>
      </div>
    </li>
  )
}

interface DeviceDialogProps {
  readonly device: OperatorDevice
  readonly onClose: () => void
}

function HideDeviceDialog({ device: { id, label }, onClose }: DeviceDialogProps) {
  return (
    <HideDialog
      title="Hide this device?"
      subject={{ kind: 'device', id }}
      name={label}
      reader="its owner"
      onClose={onClose}
    >
      <bdi className="font-medium wrap-anywhere text-ink">{label}</bdi> disappears from the globe,
      the map and the lists at once. Its owner keeps it, and sees that it is hidden and why.
    </HideDialog>
  )
}

function ShowDialog({ device: { id, label, visibility }, onClose }: DeviceDialogProps) {
  const running = useAction({
    act: () => call(showSubject, { params: { kind: 'device', id } }),
    done: () => `${label} is shown again`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Show this device again?"
      action="Show it"
      running={running}
      onClose={onClose}
    >
      <bdi className="font-medium wrap-anywhere text-ink">{label}</bdi>{' '}
      {visibility === 'public'
        ? 'is back on globe, map and lists at once.'
        : 'is private: only its owner will see it.'}
    </ConfirmDialog>
  )
}

function DeleteDialog({ device: { id, label }, onClose }: DeviceDialogProps) {
  const running = useAction({
    act: () => call(removeDevice, { params: { id } }),
    done: () => `${label} is deleted`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Delete this device?"
      action="Delete this device"
      isDestructive
      word={label}
      running={running}
      onClose={onClose}
    >
      <bdi className="font-medium wrap-anywhere text-ink">{label}</bdi> is deleted with its tokens,
      which stop working at once. Its owner gets no message. This can’t be undone. If you only want
      to take it out of sight, hide it.
    </ConfirmDialog>
  )
}
