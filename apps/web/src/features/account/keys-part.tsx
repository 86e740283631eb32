import { renewDeviceTokens } from '@astropelago/contract/devices'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { call } from '../../lib/call.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { takeFocus } from '../../ui/focus.ts'
import { FormError } from '../../ui/form-error.tsx'
import { accountFailure } from './account-failure.ts'
import { ApiKeysCard } from './api-keys-card.tsx'
import { DemoNotice } from './demo-notice.tsx'

export function KeysPart() {
  const { isDemo } = useUser()
  if (isDemo) return <DemoNotice />
  return (
    <>
      <ApiKeysCard />
      <RenewTokens />
    </>
  )
}

function RenewTokens() {
  const client = useQueryClient()
  const renewing = useMutation({
    mutationFn: () => call(renewDeviceTokens),
    // The token lists of single devices are nested under this key.
    onSuccess: () => client.invalidateQueries(ownDevicesQuery),
    // This is the only copy. It lasts until the user leaves the page.
    gcTime: 0,
  })
  return (
    <Card
      title={t`Renew all device tokens`}
      description={
        <Trans>
          Every token of every device is replaced by a new one. You make single tokens on{' '}
          <Link
            to={paths.connect()}
            className="text-accent underline decoration-transparent underline-offset-4 hover:decoration-current"
          >
            Connect
          </Link>{' '}
          and revoke them beside their device.
        </Trans>
      }
    >
      {renewing.isSuccess ? (
        <NewTokens tokens={renewing.data} />
      ) : (
        <div className="flex min-w-0 flex-wrap">
          <AskFirst
            label={t`Renew all tokens`}
            keep={t`Keep them`}
            confirm={t`Renew all tokens`}
            busy={renewing.isPending}
            onConfirm={() => renewing.mutate()}
          >
            <Trans>
              The old tokens stop working at once. Your devices go offline until they report with
              the new ones. This can’t be undone.
            </Trans>
          </AskFirst>
        </div>
      )}
      <FormError>{renewing.isError ? accountFailure(renewing.error) : undefined}</FormError>
    </Card>
  )
}

function NewTokens({ tokens }: { tokens: AnswerBody<typeof renewDeviceTokens> }) {
  const all = tokens
    .map(({ deviceLabel, label, token }) => [deviceLabel, label ?? '', token].join('\t'))
    .join('\n')
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h3 ref={takeFocus} tabIndex={-1} className="rounded-mark font-medium">
          {tokens.length === 0
            ? t`There were no tokens to renew.`
            : t`Copy them now. They are shown only once.`}
        </h3>
        {tokens.length > 1 && <CopyButton text={all} label={t`all tokens`} />}
      </div>
      {tokens.length > 0 && (
        <ul
          aria-label={t`New device tokens`}
          className="flex min-w-0 flex-col border-y border-line"
        >
          {tokens.map(({ id, deviceLabel, label, token }) => (
            <li
              key={id}
              className="flex min-w-0 items-center justify-between gap-4 border-b border-line py-3 last:border-0"
            >
              <div className="flex min-w-0 flex-col gap-1 text-sm">
                <span className="wrap-anywhere">
                  <bdi className="font-medium">{deviceLabel}</bdi>
                  {label !== null && <bdi className="ps-2 text-muted">{label}</bdi>}
                </span>
                <code className="font-mono text-xs break-all">{token}</code>
              </div>
              <CopyButton text={token} label={t`the token of ${deviceLabel}`} variant="ghost" />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
