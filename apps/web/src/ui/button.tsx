import type { ComponentProps } from 'react'
import { type ButtonStyle, buttonStyles } from './button-styles.ts'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  /** Disabled, with a spinner, while what it started goes on. */
  busy?: boolean
}

export function Button({
  variant,
  size,
  busy = false,
  className,
  disabled,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={busy || disabled}
      aria-busy={busy || undefined}
      className={classNames(buttonStyles({ variant, size }), className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
