import EyeOff from 'virtual:icon/eye-off'

/** Tells authors that the operator has hidden their text from everybody else, and why. */
export function HiddenNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-start gap-2 text-xs text-muted">
      <EyeOff aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        Hidden from everybody else by whoever runs this server: “{reason}”
      </span>
    </p>
  )
}
