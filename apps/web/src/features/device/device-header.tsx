import { LinkButton } from '../../lib/link-button.tsx'
import type { OwnDevice, PublicDeviceDetails, Status } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from 'react-router'
import LockKeyhole from 'virtual:icon/lock-keyhole'
import Telescope from 'virtual:icon/telescope'
import { DeviceButtons } from '../../devices/device-buttons.tsx'
import { DeviceLink } from '../../devices/device-link.tsx'
import { scheduleText } from '../../devices/schedule-words.ts'
import { useDeviceDialog } from '../../devices/use-device-dialog.tsx'
import { failureText } from '../../lib/failure-text.ts'
import { useSession } from '../../lib/session.ts'
import { HiddenRemark, Remark, Since, SubjectHeader } from '../../lib/subject-header.tsx'
import { paths } from '../../paths.ts'
import { LocalTime } from '../../ui/local-time.tsx'
import { StatusMark } from '../../ui/status-badge.tsx'

interface DeviceHeaderProps {
  device: PublicDeviceDetails
  own: OwnDevice | undefined
}

export function DeviceHeader({ device, own }: DeviceHeaderProps) {
  const { id, label, status, link, since } = device
  const isSignedIn = useSession().state === 'signed-in'
  return (
    <SubjectHeader
      name={label}
      mark={
        <svg aria-hidden viewBox="0 0 12 12" className="size-4 shrink-0" fill="none">
          <StatusMark status={status} />
        </svg>
      }
      state={states[status]}
      since={
        status === 'unknown' ? t`It has not reported yet.` : since !== null && <Since at={since} />
      }
      announcement={announcements[status](label)}
      actions={
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
      }
    >
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
        <Remark icon={<LockKeyhole aria-hidden />}>
          <Trans>Private: only you see this page.</Trans>
        </Remark>
      )}
      {own?.hidden && <HiddenRemark reason={own.hidden.reason} />}
    </SubjectHeader>
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
