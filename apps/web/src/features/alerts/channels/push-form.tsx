import type { AlertChannel } from '@astropelago/contract/alert-channels'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { failureText } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import {
  browserName,
  type BrowserPush,
  endpointHash,
  leaveBrowserPush,
  readBrowserPush,
  subscribeBrowser,
} from './browser-push.ts'
import { type CreatedChannel, useCreateChannel } from './channels-query.ts'

/** The push state of this browser, and the hash that identifies its channel. */
export const browserPushQuery = (pushKey: string) =>
  queryOptions({
    queryKey: ['browser-push', pushKey],
    queryFn: async () => {
      const push = await readBrowserPush(pushKey)
      const hash = push.state === 'subscribed' ? await endpointHash(push.endpoint) : undefined
      return { state: push.state, hash }
    },
    // The user grants and revokes permission in the browser's settings, possibly in another tab.
    staleTime: 0,
  })

const reasons: Readonly<Partial<Record<BrowserPush['state'], string>>> = {
  insecure: t`Notifications only work over https, and you opened this site without it.`,
  'home-screen': t`On iPhone and iPad, only a site on the home screen can send notifications. Press Share, then Add to Home Screen, and open this page from there.`,
  unsupported: t`This browser can’t get notifications, or they are turned off, as in a private window.`,
  denied: t`This browser blocks notifications from this site. Allow them with the icon to the left of the address, then check again.`,
}

interface PushFormProps {
  pushKey: string
  channels: readonly AlertChannel[]
  onCreated: (channel: CreatedChannel) => void
  onClose: () => void
}

/** Asks the browser for permission to notify, and registers its push address with the server. */
export function PushForm({ pushKey, channels, onCreated, onClose }: PushFormProps) {
  const client = useQueryClient()
  const browser = useQuery(browserPushQuery(pushKey))
  const create = useCreateChannel()
  const subscribing = useMutation({
    mutationFn: async () => {
      const { endpoint, p256dh, auth } = await subscribeBrowser(pushKey)
      const settings = { kind: 'push', endpoint, keys: { p256dh, auth } } as const
      try {
        return await create({ name: browserName(), settings })
      } catch (error) {
        // Without a channel, nothing would push to this subscription.
        await leaveBrowserPush()
        throw error
      }
    },
    onSuccess: onCreated,
    onSettled: () => client.invalidateQueries(browserPushQuery(pushKey)),
  })
  if (browser.isPending) return <Skeleton className="h-16 w-full rounded-control" />
  const { state, hash } = browser.data ?? { state: 'unsupported', hash: undefined }
  const isThere = channels.some(
    ({ endpointHash: own, state: its }) => own !== null && own === hash && its !== 'ended',
  )
  const reason = isThere ? t`This browser already gets your alerts.` : reasons[state]
  return (
    <div className="flex min-w-0 flex-col items-start gap-4">
      <p className="max-w-prose text-sm text-muted">
        {reason ??
          t`Your browser will ask whether this site may send notifications. Alerts travel through a service of the browser’s maker, which can’t read them.`}
      </p>
      <FormError>{subscribing.isError ? pushFailure(subscribing.error) : undefined}</FormError>
      <div className="flex flex-wrap gap-3">
        {reason === undefined ? (
          <Button size="sm" busy={subscribing.isPending} onClick={() => subscribing.mutate()}>
            {subscribing.isPending ? t`Waiting for the browser…` : t`Notify this browser`}
          </Button>
        ) : (
          state === 'denied' && (
            <Button
              variant="outline"
              size="sm"
              busy={browser.isFetching}
              onClick={() => void browser.refetch()}
            >
              <Trans>Check again</Trans>
            </Button>
          )
        )}
        <Button variant="ghost" size="sm" onClick={onClose}>
          {reason === undefined ? t`Cancel` : t`Close`}
        </Button>
      </div>
    </div>
  )
}

function pushFailure(error: unknown): string | undefined {
  if (!(error instanceof DOMException)) return failureText(error)
  return error.name === 'NotAllowedError'
    ? t`You did not allow this browser to show notifications.`
    : t`The browser could not reach its notification service. Some browsers have none, and some networks block it.`
}
