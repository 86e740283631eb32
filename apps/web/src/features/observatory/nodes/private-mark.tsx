import LockKeyhole from 'virtual:icon/lock-keyhole'

/** Mark after the name of a device that only its owner sees. */
export function PrivateMark() {
  return (
    <span className="ml-2 inline-flex items-center gap-1 align-middle text-xs font-normal text-muted">
      <LockKeyhole aria-hidden className="size-3" />
      private
    </span>
  )
}
