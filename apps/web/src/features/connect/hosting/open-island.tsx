import { LinkButton } from '../../../lib/link-button.tsx'
import type { RelayedState } from '@astropelago/contract/island-relay'
import type { OwnIsland } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import CircleDashed from 'virtual:icon/circle-dashed'
import ExternalLink from 'virtual:icon/external-link'
import MailPlus from 'virtual:icon/mail-plus'
import Settings2 from 'virtual:icon/settings-2'
import { type ShownInvitation, useCreateInvitation } from '../../../islands/people-queries.ts'
import { isDraft } from '../../../islands/own-islands-query.ts'
import { RelayedStatus } from '../../../islands/relayed-status.tsx'
import { failureText } from '../../../lib/failure-text.ts'
import { TextLink } from '../../../lib/text-link.tsx'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { takeFocus } from '../../../ui/focus.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { LiveRegion } from '../../../ui/live-region.tsx'
import { LongWait, Signal } from '../waiting.tsx'

interface OpenIslandProps {
  island: OwnIsland
  state: UseQueryResult<RelayedState>
}

export function OpenIsland({ island, state: { data } }: OpenIslandProps) {
  const { id, slug, name, relayAddress } = island
  const condition = data?.condition
  const isAwaited = condition?.state === 'gone' && condition.since === null
  const isConnected = condition?.state === 'carried' || condition?.state === 'failing'
  // A problem with access from outside is explained below.
  const isOpen = condition?.state === 'carried' && (data?.outside?.result ?? 'opened') === 'opened'
  return (
    <>
      {isOpen && (
        <p className="font-display text-title font-semibold wrap-anywhere">
          <Trans>
            <bdi>{name}</bdi> is open
          </Trans>
        </p>
      )}
      {isAwaited && (
        <div className="flex min-w-0 items-center gap-5 rounded-control border border-line-strong bg-ground/60 p-5 max-sm:flex-col max-sm:items-start">
          <Signal />
          <div className="flex min-w-0 flex-col gap-3">
            <p className="font-display text-title font-semibold wrap-anywhere">
              <Trans>
                Waiting for the agent of <bdi>{name}</bdi>
              </Trans>
            </p>
            <p className="text-sm text-muted">
              <Trans>
                Paste the block above on the device. This page shows within seconds that it works.
              </Trans>
            </p>
          </div>
        </div>
      )}
      {(condition?.state === 'gone' || condition?.state === 'failing') && (
        <Awaited isConnected={isConnected} />
      )}
      {isAwaited ? (
        <>
          <LongWait title={t`No agent yet? Check these:`}>
            <li>
              <Trans>
                Did the block end with “Done”? If not, its last line says what is missing.
              </Trans>
            </li>
            <li>
              <Trans>The device needs the internet, but no open ports.</Trans>
            </li>
            <li>
              <Trans>
                Did you paste all of it? Press Copy above the block, and paste it again.
              </Trans>
            </li>
          </LongWait>
          <LiveRegion>
            <Trans>Waiting for the agent.</Trans>
          </LiveRegion>
        </>
      ) : (
        <RelayedStatus key={relayAddress} islandId={id} address={relayAddress} />
      )}
      {relayAddress !== null && isConnected && (
        <>
          <div className="flex flex-wrap gap-3">
            <a
              href={relayAddress}
              target="_blank"
              rel="noopener noreferrer"
              referrerPolicy="no-referrer"
              className={buttonStyles()}
            >
              <Trans>Open your island</Trans>
              <ExternalLink aria-hidden />
              <span className="sr-only">
                <Trans>(in a new tab)</Trans>
              </span>
            </a>
            <LinkButton to={paths.islandSettings(slug)} variant="outline">
              <Settings2 aria-hidden />
              <Trans>Its settings</Trans>
            </LinkButton>
          </div>
          <CodeBlock label={t`Its address`} text={relayAddress} />
        </>
      )}
      <WhoMayEnter key={id} island={island} />
    </>
  )
}

function Awaited({ isConnected }: { isConnected: boolean }) {
  const steps = [
    { text: t`The agent on your device connects`, isDone: isConnected },
    // Once it answers, this list is no longer shown.
    { text: t`What you host answers`, isDone: false },
  ]
  return (
    <ul aria-label={t`What it waits for`} className="flex flex-col gap-2 text-sm">
      {steps.map(({ text, isDone }) => {
        const Mark = isDone ? CircleCheck : CircleDashed
        return (
          <li key={text} className="flex items-start gap-2.5">
            <Mark
              aria-hidden
              className={`mt-0.5 size-4 shrink-0 ${isDone ? 'text-accent' : 'text-muted'}`}
            />
            <span className={isDone ? 'text-ink' : 'text-muted'}>
              {text}
              <span className="sr-only">: {isDone ? t`done` : t`waiting`}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Enough for a few friends, and short-lived. The island's settings offer more. */
const forFriends = { uses: 5, days: 7, note: null } as const

const whoEnters: Readonly<Record<OwnIsland['access'], string>> = {
  public: t`Anybody may enter, signed in or not.`,
  members: t`Everybody who is signed in may enter.`,
  invited: t`Only people you let in may enter.`,
}

function WhoMayEnter({ island }: { island: OwnIsland }) {
  const { id, slug, access } = island
  const [made, setMade] = useState<ShownInvitation>()
  const inviting = useMutation({
    mutationFn: useCreateInvitation(id),
    onSuccess: setMade,
    // The only copy of the link: drop it together with the component that shows it.
    gcTime: 0,
  })
  if (isDraft(island)) {
    return (
      <p className="text-sm text-muted">
        <Trans>
          It is a draft. Only you can enter.{' '}
          <TextLink to={paths.newIsland(id, 'publish')}>Publish it</TextLink> to let others in.
        </Trans>
      </p>
    )
  }
  return (
    <div className="flex min-w-0 flex-col items-start gap-4">
      <p className="text-sm text-muted">
        {whoEnters[access]}{' '}
        <TextLink to={paths.islandSettings(slug, 'door')}>
          <Trans>Change who may enter</Trans>
        </TextLink>
      </p>
      {access === 'invited' && made === undefined && (
        <Button
          variant="outline"
          busy={inviting.isPending}
          busyLabel={t`Making…`}
          onClick={() => inviting.mutate(forFriends)}
        >
          <MailPlus aria-hidden />
          <Trans>Make an invitation for friends</Trans>
        </Button>
      )}
      <FormError>{failureText(inviting.error)}</FormError>
      {made !== undefined && <Invitation link={made.link} />}
    </div>
  )
}

function Invitation({ link }: { link: string }) {
  const { uses, days } = forFriends
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      <p ref={takeFocus} tabIndex={-1} className="rounded-mark text-sm text-muted">
        <Trans>
          Send this link to your friends. It lets in {uses} of them within {days} days. It is shown
          only once.
        </Trans>
      </p>
      <CodeBlock label={t`Invitation link`} text={link} />
    </div>
  )
}
