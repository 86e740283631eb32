import type { JoinRequest } from '@astropelago/contract/island-members'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { failureText } from '../lib/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { LocalTime } from '../ui/local-time.tsx'
import { PersonName } from '../ui/person-name.tsx'
import { RemovableItem } from '../ui/removable-item.tsx'
import { useToast } from '../ui/use-toast.ts'
import { useAnswerJoinRequest } from './people-queries.ts'

interface JoinRequestItemProps {
  islandId: string
  request: JoinRequest
  error?: unknown
  children?: ReactNode
}

export function JoinRequestItem({ islandId, request, error, children }: JoinRequestItemProps) {
  const { username, text, at } = request
  const showToast = useToast()
  const answering = useAnswerJoinRequest(islandId, ({ isLetIn }) =>
    showToast({ title: isLetIn ? t`${username} is a member now` : t`${username} was not let in` }),
  )
  const sending = answering.isPending ? answering.variables : undefined
  return (
    <RemovableItem error={failureText(answering.error ?? error)}>
      <div className="flex min-w-0 flex-col gap-0.5">
        <PersonName {...request} />
        <span className="text-xs text-muted">
          <Trans>
            asked <LocalTime at={at} />
          </Trans>
        </span>
      </div>
      {text !== '' && (
        <p
          dir="auto"
          className="border-s-2 border-line-strong ps-3 text-sm wrap-anywhere whitespace-pre-line text-ink"
        >
          {text}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          size="sm"
          aria-label={t`Let ${username} in`}
          busy={sending?.isLetIn === true}
          disabled={sending !== undefined}
          onClick={() => answering.mutate({ username, isLetIn: true })}
        >
          <Trans>Let in</Trans>
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={t`Turn ${username} down`}
          busy={sending?.isLetIn === false}
          disabled={sending !== undefined}
          onClick={() => answering.mutate({ username, isLetIn: false })}
        >
          <Trans>Turn down</Trans>
        </Button>
        {children}
      </div>
    </RemovableItem>
  )
}
