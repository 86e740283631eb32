import { FormActions } from '../../ui/form-actions.tsx'
import { joinIsland, leaveIsland } from '@astropelago/contract/island-members'
import type { IslandView } from '@astropelago/contract/islands'
import { joinTextMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { islandQuery } from '../../islands/island-queries.ts'
import { JoiningRules } from '../../islands/joining-rules.tsx'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import type { Session } from '../../lib/session.ts'
import { SignInLink } from '../../lib/sign-in-link.tsx'
import { paths } from '../../paths.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { takeFocus, useFocusReturn } from '../../ui/focus.ts'
import { FormError } from '../../ui/form-error.tsx'
import { TextAreaField } from '../../ui/text-field.tsx'

export function Membership({ island, session }: { island: IslandView; session: Session['state'] }) {
  const { role, mayEnter, mayJoin, slug } = island
  if (role === 'host') {
    return (
      <LinkButton to={paths.islandSettings(slug)} variant="outline">
        <Trans>Settings</Trans>
      </LinkButton>
    )
  }
  if (role === 'member') return <Member island={island} />
  if (!mayEnter) return null
  if (session === 'signed-out') {
    return (
      <p className="text-sm text-muted">
        <Trans>
          <SignInLink className={buttonStyles({ variant: 'link' })}>Sign in</SignInLink> to join it,
          and to write in its log.
        </Trans>
      </p>
    )
  }
  return mayJoin ? <Guest island={island} /> : null
}

function Guest({ island }: { island: IslandView }) {
  const joining = useJoin(island)
  return (
    <>
      <JoiningRules rules={island.rules} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="outline" busy={joining.isPending} onClick={() => joining.mutate('')}>
          <Trans>Join</Trans>
        </Button>
        <span className="text-sm text-muted">
          <Trans>After that you find it on your dashboard.</Trans>
        </span>
      </div>
      <FormError>{failureText(joining.error)}</FormError>
    </>
  )
}

function Member({ island }: { island: IslandView }) {
  const { name, access } = island
  const leaving = useLeave(island)
  return (
    <>
      <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-sm text-muted">
          <Trans>You are a member.</Trans>
        </span>
        <AskFirst
          label={t`Leave`}
          name={t`Leave ${name}`}
          keep={t`Stay`}
          confirm={t`Leave it`}
          busy={leaving.isPending}
          onConfirm={() => leaving.mutate()}
        >
          {access === 'invited'
            ? t`You can come back only if its host lets you in again.`
            : t`You can join again at any time.`}
        </AskFirst>
      </div>
      <FormError>{failureText(leaving.error)}</FormError>
    </>
  )
}

type Joined = Pick<IslandView, 'id' | 'slug'>

/** The island's access policy decides whether this joins or asks to join. */
function useJoin(island: Joined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => call(joinIsland, { params: { id: island.id }, body: { text } }),
    onSuccess: async ({ role }) => {
      client.setQueryData(islandQuery(island.slug).queryKey, (known) => known && { ...known, role })
      await refreshIsland(client, island)
    },
  })
}

/** Also withdraws a request to join. */
export function useLeave(island: Joined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(leaveIsland, { params: { id: island.id } }),
    onSuccess: () => refreshIsland(client, island),
  })
}

/** Asks for everything on the page again, because the viewer's permissions have changed. */
async function refreshIsland(client: QueryClient, { id }: Joined): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.islandViews }),
    client.invalidateQueries({ queryKey: queryKeys.island(id) }),
  ])
}

export function AskToJoin({ island }: { island: IslandView }) {
  const [isWriting, setIsWriting] = useState(false)
  const join = useJoin(island)
  const form = useApiForm({
    values: { text: '' },
    read: (typed) => readBy(joinIsland.body, typed),
    send: ({ text }) => join.mutateAsync(text),
  })
  const askButton = useFocusReturn(isWriting)

  if (!isWriting) {
    return (
      <Button ref={askButton} onClick={() => setIsWriting(true)}>
        <Trans>Ask to join</Trans>
      </Button>
    )
  }

  return (
    <form {...form.wiring} className="flex w-full flex-col gap-4">
      <TextAreaField
        ref={takeFocus}
        label={t`A message to its host`}
        optional
        hint={t`Say who you are and how you heard of the island. The host also sees your username.`}
        maxLength={joinTextMaxLength}
        {...form.text('text')}
      />
      <FormActions
        form={form}
        submit={t`Ask to join`}
        busy={t`Asking…`}
        onCancel={() => setIsWriting(false)}
      />
    </form>
  )
}
