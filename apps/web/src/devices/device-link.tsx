import { safeLink } from '@astropelago/contract/devices'
import { Trans } from '@lingui/react/macro'
import ExternalLink from 'virtual:icon/external-link'

interface DeviceLinkProps {
  readonly link: string | null
  readonly tabIndex?: number
  /** Shows no path. */
  readonly isHostOnly?: boolean
}

/** A device's link, checked again before it is rendered. An unsafe link is not shown. */
export function DeviceLink({ link, tabIndex, isHostOnly = false }: DeviceLinkProps) {
  const href = link === null ? undefined : safeLink(link)
  if (href === undefined) return <NoLink />
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={href}
      tabIndex={tabIndex}
      className="inline-flex max-w-full items-center gap-1.5 text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current"
    >
      <span dir="ltr" className="truncate">
        {isHostOnly ? new URL(href).host : shortAddress(href)}
      </span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
      <span className="sr-only">
        <Trans>(opens in a new tab)</Trans>
      </span>
    </a>
  )
}

function NoLink() {
  return (
    <>
      <span aria-hidden className="text-muted">
        –
      </span>
      <span className="sr-only">
        <Trans>No link</Trans>
      </span>
    </>
  )
}

function shortAddress(href: string): string {
  return href.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
