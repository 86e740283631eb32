import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import ExternalLink from 'virtual:icon/external-link'
import { type ButtonStyle, buttonStyles } from '../ui/button-styles.ts'

/** Passes nothing to the other site: no referrer, and no handle on this window. */
export const outside = {
  target: '_blank',
  rel: 'noopener noreferrer',
  referrerPolicy: 'no-referrer',
} as const

/** Opens an island in a new tab. */
export function EnterLink(props: ButtonStyle & { href: string; children?: ReactNode }) {
  const { href, size = 'lg', variant, children = <Trans>Enter</Trans> } = props
  const { host } = new URL(href)
  return (
    <a href={href} {...outside} className={buttonStyles({ size, variant })}>
      {children}
      <ExternalLink aria-hidden />
      <span className="sr-only">
        <Trans>(opens {host} in a new tab)</Trans>
      </span>
    </a>
  )
}
