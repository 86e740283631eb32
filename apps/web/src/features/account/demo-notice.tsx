import { Trans } from '@lingui/react/macro'
import Info from 'virtual:icon/info'

export function DemoNotice() {
  return (
    <p className="flex items-start gap-3 rounded-card border border-line bg-panel/85 p-5 text-sm text-muted sm:p-7">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <span>
        <Trans>
          This is a demo account. It has no password, and it is deleted after 24 hours with
          everything in it. To keep what you make, log out and register.
        </Trans>
      </span>
    </p>
  )
}
