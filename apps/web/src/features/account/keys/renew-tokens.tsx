import { renewDeviceTokens } from '@astropelago/contract/devices'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../../lib/call.ts'
import { paths } from '../../../paths.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'
import { accountFailure } from '../account-failure.ts'
import { NewTokens } from './new-tokens.tsx'

const headingId = 'renew-tokens-heading'

/** Replaces all device tokens at once, for users who don't know who has seen them. */
export function RenewTokens() {
  const client = useQueryClient()
  const renewing = useMutation({
    mutationFn: () => call(renewDeviceTokens),
    // The token lists of single devices are nested under this key.
    onSuccess: () => client.invalidateQueries(ownDevicesQuery),
    // This is the only copy. It lasts until the user leaves the page.
    gcTime: 0,
  })
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Renew all device tokens"
        description={
          <>
            Every token of every device is replaced by a new one. You make single tokens on{' '}
            <Link
              to={paths.connect()}
              className="text-accent underline decoration-transparent underline-offset-4 hover:decoration-current"
            >
              Connect
            </Link>{' '}
            and revoked beside their device.
          </>
        }
      />
      {renewing.isSuccess ? (
        <NewTokens tokens={renewing.data} />
      ) : (
        <div className="flex min-w-0 flex-wrap">
          <AskFirst
            label="Renew all tokens"
            keep="Keep them"
            confirm="Renew all tokens"
            busy={renewing.isPending}
            onConfirm={() => renewing.mutate()}
          >
            The old tokens stop working at once. Your devices go offline until they report with the
            new ones. This can’t be undone.
          </AskFirst>
        </div>
      )}
      <FormError>{renewing.isError ? accountFailure(renewing.error) : undefined}</FormError>
    </Card>
  )
}
