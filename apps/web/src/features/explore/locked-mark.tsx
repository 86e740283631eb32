import LockKeyhole from 'virtual:icon/lock-keyhole'

export function LockedMark() {
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium text-muted">
      <LockKeyhole aria-hidden className="size-3.5" />
      Locked
    </span>
  )
}
