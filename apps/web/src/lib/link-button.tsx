import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { type ButtonStyle, buttonStyles } from '../ui/button-styles.ts'

export function LinkButton(props: ComponentProps<typeof Link> & ButtonStyle) {
  const { variant, size, className, ...rest } = props
  return <Link {...rest} className={buttonStyles({ variant, size, className })} />
}
