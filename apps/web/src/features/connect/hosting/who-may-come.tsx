import type { OwnIsland } from '@astropelago/contract/islands'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import MailPlus from 'virtual:icon/mail-plus'
import { failureText } from '../../../lib/failure-text.ts'
import { type ShownInvitation, useCreateInvitation } from '../../../islands/people-queries.ts'
import { isDraft } from '../../../islands/own-islands-query.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { FormError } from '../../../ui/form-error.tsx'

/** Enough for a few friends, and short-lived. The island's settings offer more. */
const forFriends = { uses: 5, days: 7, note: null } as const

const whoEnters: Readonly<Record<OwnIsland['access'], string>> = {
  public: 'Anybody may enter, signed in or not.',
  members: 'Everybody who is signed in may enter.',
  invited: 'Only people you let in may enter.',
}

/** Who can enter with the address alone, and an invitation for friends who can't. */
export function WhoMayCome({ island }: { island: OwnIsland }) {
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
        It is a draft. Only you can enter.{' '}
        <TextLink to={paths.newIsland(id, 'publish')}>Publish it</TextLink> to let others in.
      </p>
    )
  }
  return (
    <div className="flex min-w-0 flex-col items-start gap-4">
      <p className="text-sm text-muted">
        {whoEnters[access]}{' '}
        <TextLink to={paths.islandSettings(slug, 'door')}>Change who may enter</TextLink>
      </p>
      {access === 'invited' && made === undefined && (
        <Button
          variant="outline"
          busy={inviting.isPending}
          onClick={() => inviting.mutate(forFriends)}
        >
          {!inviting.isPending && <MailPlus aria-hidden />}
          {inviting.isPending ? 'Making…' : 'Make an invitation for friends'}
        </Button>
      )}
      <FormError>{failureText(inviting.error)}</FormError>
      {made !== undefined && <Invitation link={made.link} />}
    </div>
  )
}

function Invitation({ link }: { link: string }) {
  const words = useRef<HTMLParagraphElement>(null)
  // The focused element is gone.
  useEffect(() => words.current?.focus(), [])
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      <p ref={words} tabIndex={-1} className="rounded-mark text-sm text-muted">
        Send this link to your friends. It lets in {forFriends.uses} of them within{' '}
        {forFriends.days} days. It is shown only once.
      </p>
      <CodeBlock label="Invitation link" text={link} />
    </div>
  )
}

function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="text-accent underline underline-offset-4">
      {children}
    </Link>
  )
}
