import { acceptInvitation, readInvitation } from '@astropelago/contract/island-members'
import { readCode } from '@astropelago/contract/one-time-code'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type * as v from 'valibot'
import { IslandPicture } from '../../islands/island-picture.tsx'
import { JoiningRules } from '../../islands/joining-rules.tsx'
import { joinedIslandsQuery } from '../../islands/own-islands-query.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { useSession } from '../../lib/session.ts'
import { SignInLink } from '../../lib/sign-in-link.tsx'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type Island = v.InferOutput<(typeof readInvitation.answers)[200]>

export function InvitationPage() {
  usePageTitle(t`Invitation`)
  const { hash } = useLocation()
  const code = readCode(hash)
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-8">
      <PageHeader title={t`You are invited`} />
      {code === undefined ? (
        <Unusable>
          <Trans>This link has no invitation in it. Copy the whole link that you got.</Trans>
        </Unusable>
      ) : (
        <InvitationTo key={code} code={code} />
      )}
    </div>
  )
}

function InvitationTo({ code }: { code: string }) {
  const query = useQuery({
    queryKey: ['invitation', code],
    queryFn: ({ signal }) => call(readInvitation, { body: { code }, signal }),
  })
  const { data: island, error } = query
  if (island !== undefined) return <Invited island={island} code={code} />
  if (error === null) return <InvitationSkeleton />
  if (isRefused(error)) return <Unusable>{error.sentence}</Unusable>
  return (
    <Card>
      <ErrorLine query={query}>
        <Trans>The invitation could not be loaded.</Trans>
      </ErrorLine>
    </Card>
  )
}

function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'invalid_invitation'
}

function Invited({ island, code }: { island: Island; code: string }) {
  const { name, kind, picture, host, tagline } = island
  const session = useSession()
  return (
    <Card aria-label={name} className="items-center text-center">
      <IslandPicture picture={picture} kind={kind} className="w-full max-w-64" />
      <div className="flex w-full min-w-0 flex-col gap-2">
        <h2 dir="auto" className="text-title font-semibold wrap-anywhere">
          {name}
        </h2>
        {tagline !== '' && (
          <p dir="auto" className="text-sm wrap-anywhere text-muted">
            {tagline}
          </p>
        )}
        {host !== null && (
          <p className="text-sm wrap-anywhere text-muted">
            <Trans>
              Hosted by <bdi className="font-medium text-ink">{host}</bdi>
            </Trans>
          </p>
        )}
      </div>
      {session.state === 'signed-out' ? (
        <>
          <p className="text-sm text-muted">
            <Trans>
              Sign in or register. Then you come back here and can accept the invitation.
            </Trans>
          </p>
          <SignInLink className={buttonStyles()}>
            <Trans>Sign in to accept</Trans>
          </SignInLink>
        </>
      ) : (
        <Accepting island={island} code={code} isReady={session.state === 'signed-in'} />
      )}
    </Card>
  )
}

function Accepting({ island, code, isReady }: { island: Island; code: string; isReady: boolean }) {
  const { name, rules } = island
  const client = useQueryClient()
  const navigate = useNavigate()
  const accepting = useMutation({
    mutationFn: () => call(acceptInvitation, { body: { code } }),
    onSuccess: ({ slug }) => {
      void client.invalidateQueries(joinedIslandsQuery)
      // The browser's Back button must not return to a used invitation.
      void navigate(paths.island(slug), { replace: true })
    },
  })
  return (
    <>
      <p className="text-sm text-muted">
        <Trans>You become a member. The host and the members see your username.</Trans>
      </p>
      <JoiningRules rules={rules} />
      <FormError>{failureText(accepting.error)}</FormError>
      <Button
        className="max-w-full"
        busy={accepting.isPending}
        disabled={!isReady}
        onClick={() => accepting.mutate()}
      >
        <span className="min-w-0 truncate">
          {accepting.isPending ? t`Joining…` : t`Join ${name}`}
        </span>
      </Button>
    </>
  )
}

function Unusable({ children }: { children: ReactNode }) {
  return (
    <Card>
      <p>{children}</p>
      <div>
        <LinkButton to={paths.explore()} variant="outline">
          <Trans>Explore</Trans>
        </LinkButton>
      </div>
    </Card>
  )
}

function InvitationSkeleton() {
  return (
    <Card className="items-center" data-awaited>
      <output className="sr-only">
        <Trans>Loading the invitation…</Trans>
      </output>
      <Skeleton className="aspect-[10/9] w-full max-w-64 rounded-card" />
      <Skeleton className="h-7 w-48 rounded-mark" />
      <Skeleton className="h-5 w-64 max-w-full rounded-mark" />
      <Skeleton className="h-10 w-40 rounded-control" />
    </Card>
  )
}
