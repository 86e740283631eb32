import type { OwnIsland } from '@astropelago/contract/islands'
import { islandsPerUser } from '@astropelago/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import Info from 'virtual:icon/info'
import { isDraft, ownIslandsQuery } from '../../../islands/own-islands-query.ts'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { draftOf } from '../details/island-draft.ts'
import { AccessForm } from '../access/access-form.tsx'
import type { PublishDraft } from '../access/publish-draft.ts'
import { NotYours } from '../not-yours.tsx'
import { BegunDrafts } from './begun-drafts.tsx'
import { type BuilderStep, useBuilderPlace } from './builder-steps.ts'
import { ChangeDetails, NewDetails } from './details-step.tsx'
import { PictureStep } from './picture-step.tsx'
import { Published } from './published.tsx'
import { StepList } from './step-list.tsx'
import { WithPreview } from './with-preview.tsx'

const titles: Readonly<Record<BuilderStep, string>> = {
  details: 'What it is',
  picture: 'What it looks like',
  publish: 'Who may come',
}

/** The Island Builder: details, picture, and who may enter. */
export function NewIslandPage() {
  usePageTitle('Island Builder')
  const { islandId, step } = useBuilderPlace()
  const { isDemo } = useUser()
  const query = useQuery(ownIslandsQuery)
  const islands = query.data ?? []
  const island = islands.find(({ id }) => id === islandId)
  const isDone = island !== undefined && !isDraft(island)

  if (isDemo) {
    return (
      <Frame lead={lead}>
        <Notice>Demo accounts can’t make islands. Log out and register to make one.</Notice>
      </Frame>
    )
  }
  if (islandId !== undefined && island === undefined) {
    if (query.isSuccess && !query.isFetching) return <NotYours />
    return (
      <Frame lead={lead}>
        <ListFailure query={query} of="islands" />
        {query.isPending && <Skeleton className="h-96 w-full rounded-card" />}
      </Frame>
    )
  }
  if (island === undefined && islands.length >= islandsPerUser) {
    return (
      <Frame lead={lead}>
        <Notice>
          Your account can’t host more than {islandsPerUser} islands. Delete one to make another.
        </Notice>
        <BegunDrafts drafts={islands.filter(isDraft)} />
      </Frame>
    )
  }
  return (
    <Frame lead={isDone ? undefined : lead}>
      {island === undefined && <BegunDrafts drafts={islands.filter(isDraft)} />}
      {!isDone && <StepList islandId={islandId} current={step} />}
      <section className="flex min-w-0 flex-col gap-6">
        <StepTitle of={isDone ? 'done' : step}>
          {isDone ? 'Your island is published' : titles[step]}
        </StepTitle>
        <Step island={island} step={step} />
      </section>
    </Frame>
  )
}

const lead = 'Make a place of your own. Only you see it until you publish it.'

function Frame(props: { lead?: string | undefined; children: ReactNode }) {
  return (
    <>
      <PageHeader title="Island Builder" lead={props.lead} />
      {props.children}
    </>
  )
}

interface StepProps {
  island: OwnIsland | undefined
  step: BuilderStep
}

function Step({ island, step }: StepProps) {
  const navigate = useNavigate()
  if (island === undefined) {
    // Replaces the history entry, so that Back leads to the draft, not to an empty form.
    return (
      <NewDetails
        onCreated={({ id }) => void navigate(paths.newIsland(id, 'picture'), { replace: true })}
      />
    )
  }
  if (!isDraft(island)) return <Published island={island} />
  if (step === 'details') {
    return (
      <ChangeDetails
        island={island}
        onSaved={() => void navigate(paths.newIsland(island.id, 'picture'))}
      />
    )
  }
  if (step === 'picture') {
    return (
      <PictureStep
        island={island}
        onSaved={() => void navigate(paths.newIsland(island.id, 'publish'))}
      >
        <Button
          variant="ghost"
          onClick={() => void navigate(paths.newIsland(island.id, 'details'))}
        >
          Back
        </Button>
      </PictureStep>
    )
  }
  return <PublishStep island={island} />
}

function PublishStep({ island }: { island: OwnIsland }) {
  const navigate = useNavigate()
  const [choice, setChoice] = useState<PublishDraft>()
  const draft = draftOf(island)
  return (
    <WithPreview
      draft={choice === undefined ? draft : { ...draft, slug: choice.slug }}
      island={island}
      choice={choice}
    >
      <Card>
        <AccessForm
          island={island}
          onDraft={setChoice}
          onPublished={() => void navigate(paths.newIsland(island.id), { replace: true })}
        >
          <Button
            variant="ghost"
            onClick={() => void navigate(paths.newIsland(island.id, 'picture'))}
          >
            Back
          </Button>
        </AccessForm>
      </Card>
    </WithPreview>
  )
}

interface StepTitleProps {
  of: BuilderStep | 'done'
  children: string
}

/** Takes the focus when the step changes, because the focused element went with the last step. */
function StepTitle({ of, children }: StepTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef(of)
  useEffect(() => {
    if (last.current === of) return
    last.current = of
    heading.current?.focus()
  }, [of])
  return (
    <h2 ref={heading} tabIndex={-1} className="rounded-mark text-title font-semibold">
      {children}
    </h2>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-3 rounded-card border border-line bg-panel/85 p-5 text-sm text-muted sm:p-7">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <span>{children}</span>
    </p>
  )
}
