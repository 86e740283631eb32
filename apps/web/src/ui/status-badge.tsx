import type { Status } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'

/** Colour alone is not enough, so the mark has a shape and a word. */
export function StatusBadge({ status }: { status: Status }) {
  return (
    <span className="inline-flex items-center gap-2 align-middle text-sm whitespace-nowrap text-ink">
      <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0" fill="none">
        <StatusMark status={status} />
      </svg>
      {statusNames[status]}
    </span>
  )
}

export const statusNames: Readonly<Record<Status, string>> = {
  online: t`online`,
  offline: t`offline`,
  unknown: t`unknown`,
}

export function StatusMark({ status }: { status: string }) {
  if (status === 'online') {
    return (
      <>
        <circle cx="6" cy="6" r="5.5" className="fill-online/25" />
        <circle cx="6" cy="6" r="3.25" className="fill-online" />
      </>
    )
  }
  if (status === 'offline') {
    return <circle cx="6" cy="6" r="3.75" strokeWidth="2" className="stroke-offline" />
  }
  return <path d="M6 1.5 10.5 6 6 10.5 1.5 6Z" strokeWidth="1.5" className="stroke-unknown" />
}
