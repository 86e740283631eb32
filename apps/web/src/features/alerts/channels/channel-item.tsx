import {
  type AlertChannel,
  type ChannelKind,
  renewChannelSecret,
  testChannel,
} from '@astropelago/contract/alert-channels'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import CircleX from 'virtual:icon/circle-x'
import { formatDecimal } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { TimeAgo } from '../../../lib/time-ago.tsx'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { LiveRegion } from '../../../ui/live-region.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { RemovableItem } from '../../../ui/removable-item.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { leaveBrowserPush } from './browser-push.ts'
import { ConfirmAddress, RedirectChannel, RenameChannel } from './channel-forms.tsx'
import { kindLabels } from './channel-kinds.ts'
import { canReach, channelsQuery, type CreatedChannel, useDeleteChannel } from './channels-query.ts'
import { browserPushQuery } from './push-form.tsx'

interface ChannelItemProps {
  channel: AlertChannel
  pushKey: string
  /** The channel as just created, with a webhook's secret. */
  created: CreatedChannel | undefined
  nowMs: number
}

export function ChannelItem({ channel, pushKey, created, nowMs }: ChannelItemProps) {
  const { id, kind, name, target, state } = channel
  const [editing, setEditing] = useState<'name' | 'target'>()
  const [renewed, setRenewed] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const renameButton = useRef<HTMLButtonElement>(null)
  const changeButton = useRef<HTMLButtonElement>(null)
  const client = useQueryClient()
  const testing = useMutation({
    mutationFn: () => call(testChannel, { params: { id } }),
    // The result affects the channel's state.
    onSettled: () => client.invalidateQueries(channelsQuery),
  })
  const renewing = useMutation({
    mutationFn: () => call(renewChannelSecret, { params: { id } }),
    onSuccess: ({ secret }) => {
      setRenewed(secret)
      // The focused confirmation disappears.
      heading.current?.focus()
    },
    gcTime: 0,
  })
  const forgetBrowser = useForgetBrowser(channel, pushKey)
  const showToast = useToast()
  const deleting = useDeleteChannel(id, () => {
    showToast({ title: t`Channel deleted` })
    void forgetBrowser()
  })
  const { icon: Icon, name: kindName } = kindLabels[kind]
  const shownSecret = renewed ?? created?.secret
  const close = () => {
    // The focused form disappears.
    const opener = editing === 'name' ? renameButton : changeButton
    opener.current?.focus()
    setEditing(undefined)
  }
  const canTest = canReach(channel)

  // The result replaces the focused form.
  const isNew = created !== undefined
  useEffect(() => {
    if (isNew) heading.current?.focus()
  }, [isNew])

  return (
    <RemovableItem error={failureText(testing.error ?? renewing.error ?? deleting.error)}>
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
          <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          <div className="flex min-w-0 flex-col gap-0.5">
            <h3
              ref={heading}
              tabIndex={-1}
              className="rounded-mark text-sm font-medium wrap-anywhere"
            >
              <bdi>{name}</bdi>
            </h3>
            <p className="text-xs wrap-anywhere text-muted">
              {kind === 'push' ? t`Browser` : kindName} · <bdi>{target}</bdi>
            </p>
            <Condition channel={channel} nowMs={nowMs} />
          </div>
        </div>
        <div className="flex min-w-0 flex-wrap gap-2">
          {canTest && (
            <Button
              variant="outline"
              size="sm"
              aria-label={t`Test ${name}`}
              busy={testing.isPending}
              onClick={() => testing.mutate()}
            >
              {testing.isPending ? t`Sending…` : t`Test`}
            </Button>
          )}
          <Button
            ref={renameButton}
            variant="ghost"
            size="sm"
            aria-label={t`Rename ${name}`}
            aria-expanded={editing === 'name'}
            onClick={() => setEditing('name')}
          >
            <Trans>Rename</Trans>
          </Button>
          {kind !== 'push' && (
            <Button
              ref={changeButton}
              variant="ghost"
              size="sm"
              aria-label={t`Change where ${name} sends`}
              aria-expanded={editing === 'target'}
              onClick={() => setEditing('target')}
            >
              <Trans>Change</Trans>
            </Button>
          )}
          {kind === 'webhook' && (
            <AskFirst
              // A new secret closes the confirmation, because another press would invalidate the secret
              // on the screen.
              key={renewed}
              label={t`New secret`}
              variant="ghost"
              name={t`New secret for ${name}`}
              keep={t`Keep it`}
              confirm={t`Make a new secret`}
              busy={renewing.isPending}
              onConfirm={() => renewing.mutate()}
            >
              <Trans>
                From now on calls are signed with the new secret. The old one stops working.
              </Trans>
            </AskFirst>
          )}
          <AskFirst
            label={t`Delete`}
            variant="ghost"
            name={t`Delete ${name}`}
            keep={t`Keep it`}
            confirm={t`Delete channel`}
            busy={deleting.isPending}
            onConfirm={() => deleting.mutate()}
          >
            <Trans>No more alerts are sent there. This can’t be undone.</Trans>
          </AskFirst>
        </div>
      </div>
      {editing === 'name' && <RenameChannel channel={channel} onClose={close} />}
      {editing === 'target' && kind !== 'push' && (
        <RedirectChannel channel={channel} kind={kind} onClose={close} />
      )}
      {kind === 'email' && (state === 'unconfirmed' || state === 'ended') && (
        <ConfirmAddress channel={channel} onConfirmed={() => heading.current?.focus()} />
      )}
      {shownSecret !== undefined && shownSecret !== null && (
        <div className="flex min-w-0 flex-col gap-3 rounded-control bg-raised p-4">
          <p className="text-sm">
            <Trans>
              Copy the secret now: you won’t see it again. Your program uses it to check that a call
              comes from here.
            </Trans>
          </p>
          <CodeBlock label={t`Secret`} text={shownSecret} />
        </div>
      )}
      <LiveRegion>{testing.isSuccess ? testOutcome(testing.data) : ''}</LiveRegion>
      {testing.isSuccess && <TestResult result={testing.data} />}
    </RemovableItem>
  )
}

/** What to do once a channel has ended. Only e-mail channels can be restarted. */
const endings: Readonly<Partial<Record<ChannelKind, string>>> = {
  push: t`This browser no longer accepts notifications. Delete it here, then add it again in that browser.`,
  email: t`Somebody with access to this mailbox turned the alerts off. Send a new code to turn them on again.`,
}
const otherEnding = t`The service says that this address no longer exists. Delete the channel and add it again.`

function Condition({ channel, nowMs }: { channel: AlertChannel; nowMs: number }) {
  const { kind, state, lastAnswer, failingSince } = channel
  if (state === 'ended') {
    return <p className="text-xs text-danger">{endings[kind] ?? otherEnding}</p>
  }
  if (state === 'unconfirmed') {
    return (
      <p className="text-xs text-muted">
        <Trans>Not confirmed yet. We sent a code there.</Trans>
      </p>
    )
  }
  if (lastAnswer === null)
    return (
      <p className="text-xs text-muted">
        <Trans>Nothing has been sent there yet.</Trans>
      </p>
    )
  if (lastAnswer.isOk) {
    return (
      <p className="text-xs text-muted">
        <Trans>
          Last message arrived <TimeAgo at={lastAnswer.at} nowMs={nowMs} />.
        </Trans>
      </p>
    )
  }
  const note = <bdi>{lastAnswer.note}</bdi>
  return (
    <p className="text-xs wrap-anywhere text-danger">
      {state === 'failing' && failingSince !== null ? (
        <Trans>
          Nothing has arrived since <LocalTime at={failingSince} />: {note}
        </Trans>
      ) : (
        <Trans>
          The last message, <TimeAgo at={lastAnswer.at} nowMs={nowMs} />, did not arrive: {note}
        </Trans>
      )}
    </p>
  )
}

/** If a deleted channel was this browser's own, the browser unsubscribes too. */
function useForgetBrowser({ endpointHash }: AlertChannel, pushKey: string) {
  const client = useQueryClient()
  return async () => {
    if (endpointHash === null) return
    const { hash } = await client.fetchQuery(browserPushQuery(pushKey))
    if (hash !== endpointHash) return
    await leaveBrowserPush()
    await client.invalidateQueries(browserPushQuery(pushKey))
  }
}

type TestAnswer = AnswerBody<typeof testChannel>

function testOutcome({ isOk, tookMs }: TestAnswer): string {
  const seconds = formatDecimal(tookMs / 1000)
  return isOk ? t`Sent, in ${seconds} s. Check that it arrived.` : t`Not sent, after ${seconds} s.`
}

/** The request that a test sent and the response, to find out why nothing arrives. */
function TestResult({ result }: { result: TestAnswer }) {
  const { isOk, sent, answer } = result
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-control bg-raised p-4">
      <p className="flex items-start gap-2 text-sm font-medium">
        {isOk ? (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        ) : (
          <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        )}
        {testOutcome(result)}
      </p>
      <CodeBlock label={t`What was sent`} text={sent} />
      <CodeBlock label={t`What came back`} text={answer} />
    </div>
  )
}
