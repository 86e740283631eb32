import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { type ButtonStyle, buttonStyles } from '../ui/button-styles.ts'

/** A link that looks like a button. */
export function LinkButton({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link {...rest} className={buttonStyles({ variant, size, className })} />
}
