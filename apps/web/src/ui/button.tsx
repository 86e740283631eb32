import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonStyle, buttonStyles } from './button-styles.ts'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  /** With a spinner, and deaf to presses, while what it started goes on; it keeps the focus. */
  busy?: boolean
}

export function Button({
  variant,
  size,
  busy = false,
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
      // One that is disabled loses the focus, also where it is so because it is busy.
      disabled={disabled && !busy}
      aria-disabled={busy || isOff}
      aria-busy={busy || undefined}
      onClick={busy ? swallow : onClick}
      className={classNames(buttonStyles({ variant, size }), className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** Has a form not be sent either, be it by Enter in one of its fields. */
function swallow(event: MouseEvent) {
  event.preventDefault()
}
