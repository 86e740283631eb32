import { BrowserState, type Doorway } from '@astropelago/contract/relay-access'
import { Slug } from '@astropelago/contract/slugs'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router'
import * as v from 'valibot'
import { isNoted, PauseNote } from '../../../islands/pause-note.tsx'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { LinkButton } from '../../../lib/link-button.tsx'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { AskForName } from './ask-for-name.tsx'
import { doorwayQuery, type Goal, useEntering, wasPressed } from './doorway.ts'

/** An island's slug, or the domain of its own from which the browser comes. */
const Asked = v.union([Slug, v.pipe(v.string(), v.regex(/^[a-z\d-]+(?:\.[a-z\d-]+)+$/))])

/** The page between an island's host name and the site. */
export function EnterPage() {
  const { slug = '' } = useParams()
  const { success, output } = v.safeParse(Asked, slug)
  return success ? <BeforeTheDoor key={output} slug={output} /> : <NothingHere />
}

function BeforeTheDoor({ slug }: { slug: string }) {
  const query = useQuery(doorwayQuery(slug))
  const { data: doorway, error } = query
  if (error instanceof ApiError && error.code === 'not_found') {
    return <NothingHere query={query} />
  }
  if (doorway !== undefined) return <Doorstep doorway={doorway} slug={slug} />
  return (
    <Narrow>
      {error === null ? (
        <AtTheDoor />
      ) : (
        <Card>
          <ErrorLine query={query}>
            <Trans>This island could not be loaded.</Trans>
          </ErrorLine>
        </Card>
      )}
    </Narrow>
  )
}

function Doorstep({ doorway, slug }: { doorway: Doorway; slug: string }) {
  const [search] = useSearchParams()
  const { name, wayIn, mayEnter, pause, isHosted, tellsName } = doorway
  const state = search.get('state')
  const to = search.get('to') ?? '/'
  const isAsked = search.has('ask')
  if (wayIn === null) return <Navigate to={paths.island(doorway.slug)} replace />
  if (!mayEnter) {
    const lead = t`Its host decides who gets in. You can ask on its page.`
    const title = (
      <Trans>
        <IslandName>{name}</IslandName> is for members
      </Trans>
    )
    return <Stopped doorway={doorway} title={title} lead={lead} />
  }
  if (pause !== null) {
    const lead = isNoted(pause) ? <PauseNote pause={pause} /> : t`Its host lets nobody in for now.`
    const title = (
      <Trans>
        <IslandName>{name}</IslandName> is paused
      </Trans>
    )
    return <Stopped doorway={doorway} title={title} lead={lead} />
  }
  // Only the island's current host name can have issued the browser's state. An old slug has no host
  // name, and the address below a domain of its own gives way to it.
  if (!v.is(BrowserState, state) || !doorway.isHere) {
    return <Departure name={name} address={address(wayIn, { to, ...(isAsked && { ask: '1' }) })} />
  }
  const goal = { slug, state, addressOf: (ticket: string) => address(wayIn, { ticket, to }) }
  // Hosted pages ask once they need the name. A service at home gets no second chance.
  if (isAsked || (tellsName === null && !isHosted)) {
    return <AskForName doorway={doorway} goal={goal} />
  }
  return <GoingIn doorway={doorway} goal={goal} isUnasked={wasPressed(slug, state)} />
}

function address(wayIn: string, query: Readonly<Record<string, string>>): string {
  return `${wayIn}?${new URLSearchParams(query).toString()}`
}

function Departure({ name, address: to }: { name: string; address: string }) {
  useEffect(() => window.location.replace(to), [to])
  return <OnTheWay name={name} />
}

interface GoingInProps {
  doorway: Doorway
  goal: Goal
  isUnasked: boolean
}

function GoingIn({ doorway, goal, isUnasked }: GoingInProps) {
  const { name, slug, yourName, tellsName } = doorway
  const { mutate, isIdle, isPending, error } = useEntering(goal)
  const [goesAtOnce] = useState(isUnasked)
  useEffect(() => {
    if (goesAtOnce) mutate(undefined)
  }, [mutate, goesAtOnce])
  if (isIdle && !goesAtOnce) {
    return (
      <BeforeGoingIn
        name={name}
        slug={slug}
        learnsName={tellsName === true ? yourName : null}
        onGoIn={() => mutate(undefined)}
      />
    )
  }
  if (error === null) return <OnTheWay name={name} />
  return (
    <Narrow>
      <PageHeader title={<IslandName>{name}</IslandName>} />
      <Card>
        <ErrorLine busy={isPending} onRetry={() => mutate(undefined)}>
          {failureText(error) ?? t`You could not be let in.`}
        </ErrorLine>
      </Card>
    </Narrow>
  )
}

interface BeforeGoingInProps {
  name: string
  slug: string
  learnsName: string | null
  onGoIn: () => void
}

/** Asks for a press, because another site may have sent the user here. */
function BeforeGoingIn({ name, slug, learnsName, onGoIn }: BeforeGoingInProps) {
  usePageTitle(t`Enter ${name}`)
  return (
    <Narrow>
      <PageHeader
        title={
          <Trans>
            Enter <IslandName>{name}</IslandName>
          </Trans>
        }
        lead={
          learnsName === null ? (
            t`It does not learn your name.`
          ) : (
            <Trans>
              It learns that you are <IslandName>{learnsName}</IslandName>. You chose that last
              time.
            </Trans>
          )
        }
      >
        <Button size="lg" onClick={onGoIn}>
          <Trans>Go in</Trans>
        </Button>
      </PageHeader>
      <p className="text-sm text-muted">
        <Trans>Only go in if you wanted to. Any website can send you to this page.</Trans>{' '}
        <LinkButton to={paths.island(slug)} variant="link" size="sm">
          <Trans>Show its page instead</Trans>
        </LinkButton>
      </p>
    </Narrow>
  )
}

function OnTheWay({ name }: { name: string }) {
  usePageTitle(t`On the way`)
  return (
    <Narrow>
      <PageHeader
        title={t`On the way`}
        lead={
          <output>
            <Trans>
              Taking you to <IslandName>{name}</IslandName>…
            </Trans>
          </output>
        }
      />
    </Narrow>
  )
}

function Stopped(props: { doorway: Doorway; title: ReactNode; lead: ReactNode }) {
  const { doorway, title, lead } = props
  const { name, slug } = doorway
  usePageTitle(name)
  return (
    <Narrow>
      <PageHeader title={title} lead={lead}>
        <LinkButton to={paths.island(slug)}>
          <Trans>About this island</Trans>
        </LinkButton>
      </PageHeader>
    </Narrow>
  )
}

function AtTheDoor() {
  usePageTitle(t`At the door`)
  return (
    <>
      <output className="sr-only">
        <Trans>Finding out whether you may enter…</Trans>
      </output>
      <div data-awaited className="flex flex-col gap-5">
        <Skeleton className="h-10 w-72 max-w-full rounded-control" />
        <Skeleton className="h-5 w-full rounded-mark" />
        <Skeleton className="h-40 w-full rounded-card" />
      </div>
    </>
  )
}

function IslandName({ children }: { children: string }) {
  return <bdi className="wrap-anywhere">{children}</bdi>
}

function Narrow({ children }: { children: ReactNode }) {
  return <div className="mx-auto flex w-full max-w-lg flex-col gap-8">{children}</div>
}
