import { LinkButton } from '../../lib/link-button.tsx'
import type { OwnDevice, PublicDeviceDetails, Status } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import EyeOff from 'virtual:icon/eye-off'
import LockKeyhole from 'virtual:icon/lock-keyhole'
import Telescope from 'virtual:icon/telescope'
import { DeviceButtons } from '../../devices/device-buttons.tsx'
import { DeviceLink } from '../../devices/device-link.tsx'
import { scheduleText } from '../../devices/schedule-words.ts'
import { useDeviceDialog } from '../../devices/use-device-dialog.tsx'
import { failureText } from '../../lib/failure-text.ts'
import { useSession } from '../../lib/session.ts'
import { useNow } from '../../lib/use-now.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { duration } from '../../ui/history-words.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { StatusMark } from '../../ui/status-badge.tsx'

interface DeviceHeaderProps {
  device: PublicDeviceDetails
  own: OwnDevice | undefined
}

export function DeviceHeader({ device, own }: DeviceHeaderProps) {
  const { id, label, status, link } = device
  usePageTitle(label)
  const isSignedIn = useSession().state === 'signed-in'
  return (
    <header className="flex min-w-0 flex-col gap-5">
      <div className="flex min-w-0 flex-col gap-3">
        <h1 dir="auto" className="text-heading font-semibold wrap-anywhere">
          {label}
        </h1>
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-muted">
          <span className="inline-flex items-baseline gap-2.5 font-display text-title font-semibold text-ink">
            <svg aria-hidden viewBox="0 0 12 12" className="size-4 shrink-0" fill="none">
              <StatusMark status={status} />
            </svg>
            {states[status]}
          </span>
          <Since device={device} />
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {own ? (
            t`Yours`
          ) : device.owner === null ? (
            t`Its owner is not named`
          ) : (
            <Trans>
              Run by <bdi className="font-medium text-ink">{device.owner}</bdi>
            </Trans>
          )}
        </p>
        {own?.schedule && (
          <p className="text-sm text-muted">
            {scheduleText(own.schedule)}{' '}
            {own.expectedAt !== null && (
              <Trans>
                Next expected <LocalTime at={own.expectedAt} />
              </Trans>
            )}
          </p>
        )}
        {own?.visibility === 'private' && (
          <Note icon={<LockKeyhole aria-hidden />}>
            <Trans>Private: only you see this page.</Trans>
          </Note>
        )}
        {own?.hidden && (
          <Note icon={<EyeOff aria-hidden />}>
            <Trans>
              Hidden from everybody else by the operator of this server:{' '}
              <q className="whitespace-pre-line wrap-anywhere text-ink quotes-none">
                {own.hidden.reason}
              </q>
            </Trans>
          </Note>
        )}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-3">
        {isSignedIn && (
          <LinkButton to={paths.observatoryDevice(id)} variant="outline">
            <Telescope aria-hidden />
            <Trans>See it on the globe</Trans>
          </LinkButton>
        )}
        {link !== null && (
          <span className="min-w-0 text-sm">
            <DeviceLink link={link} />
          </span>
        )}
        {own && <OwnerButtons device={own} />}
      </div>
      <LiveRegion>{announcements[status](label)}</LiveRegion>
    </header>
  )
}

const states: Readonly<Record<Status, string>> = {
  online: t`Online`,
  offline: t`Offline`,
  unknown: t`Unknown`,
}

const announcements: Readonly<Record<Status, (label: string) => string>> = {
  online: (label) => t`${label} is online.`,
  offline: (label) => t`${label} is offline.`,
  unknown: (label) => t`${label} is unknown.`,
}

const clockMs = 5000

function Since({ device: { status, since } }: { device: PublicDeviceDetails }) {
  const nowMs = useNow(clockMs)
  if (status === 'unknown') return t`It has not reported yet.`
  if (since === null) return null
  const time = duration(Math.max(0, nowMs - Date.parse(since)) / 1000)
  return (
    <span data-numeric>
      <Trans>
        for {time}, since <LocalTime at={since} />
      </Trans>
    </span>
  )
}

function Note({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex max-w-xl items-start gap-2 text-sm text-muted [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {icon}
      <span className="min-w-0">{children}</span>
    </p>
  )
}

function OwnerButtons({ device }: { device: OwnDevice }) {
  const navigate = useNavigate()
  const { open, dialog } = useDeviceDialog({
    explain: (error) => failureText(error) ?? '',
    onDeleted: () => void navigate(paths.account()),
  })
  return (
    <>
      <div className="-ms-3">
        <DeviceButtons device={device} onAction={open} />
      </div>
      {dialog}
    </>
  )
}
