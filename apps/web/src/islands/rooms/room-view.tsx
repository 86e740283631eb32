import type { RoomContents } from '@astropelago/contract/rooms'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import ArrowLeft from 'virtual:icon/arrow-left'
import { ApiError } from '../../lib/api-error.ts'
import { failureText } from '../../lib/failure-text.ts'
import { useNow } from '../../lib/use-now.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { takeFocus } from '../../ui/focus.ts'
import { FormError } from '../../ui/form-error.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { RemovableItem } from '../../ui/removable-item.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { RoomFacts } from './room-list.tsx'
import { roomQuery, type RoomsOf, useModerate } from './rooms-queries.ts'
import type { Silenced } from './silence-dialog.tsx'

interface RoomProps {
  of: RoomsOf
  name: string
}

type Message = RoomContents['messages'][number]

const shownAtFirst = 50
const fetchDialog = async () => (await import('./silence-dialog.tsx')).SilenceDialog

export function RoomView({ of, name }: RoomProps) {
  const query = useQuery(roomQuery(of, name))
  const nowMs = useNow()
  const [shownCount, setShownCount] = useState(shownAtFirst)
  const { open, dialog } = useDialog<{ of: RoomsOf; room: string; author: Silenced }>(fetchDialog)
  const { data: room, error } = query
  const messages = room?.messages.toReversed() ?? []
  const isGone = error instanceof ApiError && error.code === 'not_found'
  return (
    <>
      <ToAllRooms />
      <Card
        ref={takeFocus}
        tabIndex={-1}
        className="outline-none"
        title={name}
        description={room && <RoomFacts room={room} nowMs={nowMs} />}
      >
        {room && <ReadOnly of={of} name={name} isReadOnly={room.isReadOnly} />}
        <LoadedList
          of={t`The room`}
          query={query}
          isEmpty={messages.length === 0}
          skeleton={<SkeletonRows label={t`Loading the room…`} count={6} className="h-12" />}
          empty={
            <p className="text-sm text-muted">
              <Trans>There are no messages.</Trans>
            </p>
          }
          failure={
            isGone ? (
              <p className="text-sm text-muted">
                <Trans>There is no such room.</Trans>
              </p>
            ) : undefined
          }
        >
          <ol
            aria-label={t`Messages, the newest first`}
            className="flex min-w-0 flex-col border-y border-line"
          >
            {messages.slice(0, shownCount).map((message) => (
              <MessageItem
                key={message.n}
                {...{ of, name, message }}
                onSilence={(author) => open({ of, room: name, author })}
              />
            ))}
          </ol>
          {messages.length > shownCount && (
            <Button
              variant="outline"
              className="self-center"
              onClick={() => setShownCount(messages.length)}
            >
              <Trans>Show earlier</Trans>
            </Button>
          )}
        </LoadedList>
      </Card>
      {room && <SilencedCard of={of} name={name} silenced={room.silenced} />}
      {dialog}
    </>
  )
}

function ToAllRooms() {
  const { search, state } = useLocation()
  const parameters = new URLSearchParams(search)
  parameters.delete('room')
  return (
    <Link
      to={{ search: parameters.toString() }}
      state={state}
      className="inline-flex items-center gap-2 self-start text-sm text-muted no-underline transition-colors hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      <Trans>All rooms</Trans>
    </Link>
  )
}

function ReadOnly({ of, name, isReadOnly }: RoomProps & { isReadOnly: boolean }) {
  const moderate = useModerate(of, name)
  const changing = useMutation({
    mutationFn: (isOn: boolean) => moderate({ kind: 'read-only', isOn }),
  })
  return (
    <>
      <Checkbox
        label={t`Read-only`}
        hint={t`Only moderators write here: the island’s host and the operators of this server.`}
        checked={changing.isPending ? changing.variables : isReadOnly}
        onChange={({ target }) => changing.mutate(target.checked)}
      />
      <FormError>{failureText(changing.error)}</FormError>
    </>
  )
}

interface MessageItemProps extends RoomProps {
  message: Message
  onSilence: (author: Silenced) => void
}

function MessageItem({ of, name, message, onSilence }: MessageItemProps) {
  const { n, at, from, isByHost, text } = message
  const moderate = useModerate(of, name)
  const deleting = useMutation({ mutationFn: () => moderate({ kind: 'delete', message: n }) })
  const author = from?.name ?? t`somebody`
  return (
    <RemovableItem error={failureText(deleting.error)}>
      <div className="flex min-w-0 flex-col gap-1 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-2.5 wrap-anywhere">
          <bdi className={from === null ? 'text-muted' : 'font-medium'}>{author}</bdi>
          <span className="text-xs text-muted">
            <LocalTime at={at} />
          </span>
        </p>
        {/* Line breaks are left out, because a message could have thousands. */}
        <p dir="auto" className="wrap-anywhere text-ink/90">
          {text}
        </p>
      </div>
      <div className="-ms-3 flex min-w-0 flex-wrap items-center">
        <AskFirst
          label={t`Delete`}
          variant="ghost"
          name={t`Delete the message by ${author}`}
          keep={t`Keep it`}
          confirm={t`Delete it`}
          busy={deleting.isPending}
          onConfirm={() => deleting.mutate()}
        >
          <Trans>It is deleted for everybody. This can’t be undone.</Trans>
        </AskFirst>
        {from !== null && !isByHost && (
          <Button
            variant="ghost"
            size="sm"
            className="text-muted!"
            aria-label={t`Mute or block ${author}`}
            onClick={() => onSilence(from)}
          >
            <Trans>Mute or block…</Trans>
          </Button>
        )}
      </div>
    </RemovableItem>
  )
}

interface SilencedCardProps extends RoomProps {
  silenced: RoomContents['silenced']
}

function SilencedCard({ of, name, silenced }: SilencedCardProps) {
  return (
    <Card
      title={t`Muted and blocked`}
      description={t`They can’t write in any room of this island.`}
    >
      {silenced.length === 0 ? (
        <p className="text-sm text-muted">
          <Trans>Nobody is muted or blocked.</Trans>
        </p>
      ) : (
        <ul
          aria-label={t`Muted and blocked`}
          className="flex min-w-0 flex-col border-y border-line"
        >
          {silenced.map((person) => (
            <SilencedItem key={person.id} {...{ of, name, person }} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function SilencedItem(props: RoomProps & { person: RoomContents['silenced'][number] }) {
  const { of, name, person } = props
  const { id, name: who, kind, until } = person
  const moderate = useModerate(of, name)
  const showToast = useToast()
  const freeing = useMutation({
    mutationFn: () => moderate({ kind: 'unmute', visitor: id }),
    onSuccess: () => showToast({ title: t`${who} may write again` }),
  })
  const isBlocked = kind === 'block'
  return (
    <RemovableItem error={failureText(freeing.error)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-col gap-0.5">
          <bdi className="text-sm font-medium wrap-anywhere">{who}</bdi>
          <span className="text-xs text-muted">
            {isBlocked ? t`blocked` : t`muted`}{' '}
            {until === null ? (
              t`for good`
            ) : (
              <Trans>
                until <LocalTime at={until} />
              </Trans>
            )}
          </span>
        </div>
        <Button
          variant="outline"
          size="sm"
          aria-label={isBlocked ? t`Unblock ${who}` : t`Unmute ${who}`}
          busy={freeing.isPending}
          onClick={() => freeing.mutate()}
        >
          {isBlocked ? t`Unblock` : t`Unmute`}
        </Button>
      </div>
    </RemovableItem>
  )
}
