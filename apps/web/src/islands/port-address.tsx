import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CopyButton } from '../ui/copy-button.tsx'

export function PortAddress({ address }: { address: string }) {
  return (
    <div className="flex w-full min-w-0 items-center justify-between gap-4 rounded-control bg-raised p-3 ps-4">
      <bdi dir="ltr" className="min-w-0 font-mono text-xs wrap-anywhere">
        {address}
      </bdi>
      <CopyButton text={address} label={t`the address for games`} variant="ghost" />
    </div>
  )
}

export function PortBlockedNote() {
  return (
    <p className="rounded-control border border-line-strong bg-raised px-4 py-3 text-sm">
      <Trans>
        Nobody can connect there right now, because another program on the server uses this port.
        The operator of this server can free it.
      </Trans>
    </p>
  )
}
