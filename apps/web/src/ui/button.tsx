import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonStyle, buttonStyles } from './button-styles.ts'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  /** Shows a spinner and ignores presses while an action runs. The button keeps the focus. */
  busy?: boolean
  /** Replaces the icon and the label while it is busy. */
  busyLabel?: string | undefined
}

export function Button({
  variant,
  size,
  busy = false,
  busyLabel,
  className,
  disabled = false,
  'aria-disabled': isOff,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      // A disabled button loses the focus, so a busy one is not disabled.
      disabled={disabled && !busy}
      aria-disabled={busy || isOff}
      aria-busy={busy || undefined}
      onClick={busy ? swallow : onClick}
      className={classNames(buttonStyles({ variant, size }), className)}
    >
      {busy && <Spinner />}
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
}

/** Also keeps Enter in a field from submitting the form. */
function swallow(event: MouseEvent) {
  event.preventDefault()
}
