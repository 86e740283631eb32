import type { Block } from '@astropelago/contract/island-members'
import { useMutation, useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { blocksQuery, useBlockChanges } from '../../../islands/blocks-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { TimeAgo } from '../../../lib/time-ago.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { PersonName } from '../../../ui/person-name.tsx'
import { RemovableItem } from '../../../ui/removable-item.tsx'

const clockMs = 30_000
const headingId = 'blocked-heading'

/** Users who are blocked, whatever the access policy. */
export function BlockedCard({ islandId }: { islandId: string }) {
  const query = useQuery(blocksQuery(islandId))
  const nowMs = useNow(clockMs)
  const blocks = query.data ?? []
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Blocked"
        description="They can’t join, ask to join or leave notes. They see what a signed-out visitor sees."
      />
      {blocks.length > 0 && (
        <ul aria-label="Blocked" className="flex min-w-0 flex-col border-y border-line">
          {blocks.map((block) => (
            <BlockedItem key={block.username} {...{ islandId, block, nowMs }} />
          ))}
        </ul>
      )}
      {blocks.length === 0 && query.isSuccess && (
        <p className="text-sm text-muted">Nobody is blocked.</p>
      )}
      <ListFailure query={query} of="list of blocked Navigators" />
      <BlockForm islandId={islandId} />
    </Card>
  )
}

function BlockedItem(props: { islandId: string; block: Block; nowMs: number }) {
  const { islandId, block, nowMs } = props
  const showToast = useToast()
  const unblocking = useMutation({
    mutationFn: useBlockChanges(islandId).unblock,
    onSuccess: () => showToast({ title: `${block.username} is no longer blocked` }),
  })
  return (
    <RemovableItem error={failureText(unblocking.error ?? undefined)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-col gap-0.5">
          <PersonName {...block} />
          <span className="text-xs text-muted">
            blocked <TimeAgo at={block.at} nowMs={nowMs} />
          </span>
        </div>
        <Button
          variant="outline"
          size="sm"
          aria-label={`Unblock ${block.username}`}
          busy={unblocking.isPending}
          onClick={() => unblocking.mutate(block.username)}
        >
          Unblock
        </Button>
      </div>
    </RemovableItem>
  )
}

/** Blocks a user who is not a member. */
function BlockForm({ islandId }: { islandId: string }) {
  const showToast = useToast()
  const { block } = useBlockChanges(islandId)
  const form = useApiForm({
    values: { username: '' },
    read: ({ username }) =>
      readBy(v.string(), username.trim(), {
        username: username.trim() === '' && 'Enter a username',
      }),
    send: async (username) => {
      await block(username)
      return username
    },
    onSent: (blocked) => showToast({ title: `${blocked} is blocked` }),
    explain: (error) =>
      error instanceof ApiError && error.code === 'not_found'
        ? 'There is no Navigator with that name.'
        : failureText(error),
    onlyField: 'username',
  })
  return (
    <form
      {...form.wiring}
      aria-label="Block somebody"
      className="flex flex-col items-start gap-4 sm:flex-row"
    >
      <TextField
        className="w-full sm:max-w-72"
        label="Username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('username')}
      />
      <Button type="submit" variant="outline" busy={form.isBusy} className="sm:mt-7">
        Block
      </Button>
    </form>
  )
}
