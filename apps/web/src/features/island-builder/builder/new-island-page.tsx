import type { OwnIsland } from '@astropelago/contract/islands'
import { islandsPerDemoUser, islandsPerUser } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import * as v from 'valibot'
import ArrowRight from 'virtual:icon/arrow-right'
import Info from 'virtual:icon/info'
import {
  isDraft,
  ownIslandsQuery,
  useOwnIslandChanges,
} from '../../../islands/own-islands-query.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { draftOf } from '../details/island-draft.ts'
import { AccessForm, type PublishDraft } from '../access/access-form.tsx'
import { NotYours } from '../not-yours.tsx'
import { PictureField } from '../picture/picture-field.tsx'
import { type BuilderStep, StepList, useBuilderPlace, type What } from './builder-steps.tsx'
import { ChooseStep } from './choose-step.tsx'
import { ChangeDetails, NewDetails } from './details-step.tsx'
import { PagesStep } from './pages-step.tsx'
import { Published } from './published.tsx'
import { WithPreview } from './with-preview.tsx'

/** The steps, of which Pages is the last one for islands with pages here. */
type Stage = BuilderStep | 'pages' | 'done'

const titles: Readonly<Record<Stage, string>> = {
  choose: t`What will it be?`,
  details: t`What it is`,
  picture: t`What it looks like`,
  publish: t`Who may come`,
  pages: t`Give it a name`,
  done: t`Your island is published`,
}

export function NewIslandPage() {
  usePageTitle(t`Island Builder`)
  const place = useBuilderPlace()
  const { isDemo } = useUser()
  const query = useQuery(ownIslandsQuery)
  const islands = query.data ?? []
  const { islandId } = place
  const island = islands.find(({ id }) => id === islandId)

  if (islandId !== undefined && island === undefined) {
    if (query.isSuccess && !query.isFetching) return <NotYours />
    return (
      <Frame lead={lead}>
        <ListFailure query={query} of="islands" />
        {query.isPending && <Skeleton className="h-96 w-full rounded-card" />}
      </Frame>
    )
  }
  const most = isDemo ? islandsPerDemoUser : islandsPerUser
  if (island === undefined && islands.length >= most) {
    return (
      <Frame lead={lead}>
        <Notice>
          <Trans>
            Your account can’t host more than{' '}
            <Plural value={most} one="# island" other="# islands" />. Delete one to make another.
          </Trans>
        </Notice>
        <BegunDrafts drafts={islands.filter(isDraft)} />
      </Frame>
    )
  }
  const stage = stageOf(place, island, isDemo)
  const isDone = stage === 'done'
  return (
    <Frame lead={isDone ? undefined : lead}>
      {island === undefined && stage === 'choose' && (
        <BegunDrafts drafts={islands.filter(isDraft)} />
      )}
      {!isDone && stage !== 'choose' && (
        <StepList
          islandId={islandId}
          current={stage === 'pages' ? 'publish' : stage}
          isHosted={stage === 'pages'}
        />
      )}
      <section className="flex min-w-0 flex-col gap-6">
        <StepTitle of={stage}>
          {isDone && island !== undefined && isDraft(island)
            ? t`Your island is ready`
            : titles[stage]}
        </StepTitle>
        <Step island={island} stage={stage} what={place.what} />
      </section>
    </Frame>
  )
}

type Place = ReturnType<typeof useBuilderPlace>

function stageOf(
  { what, step, isDescribed }: Place,
  island: OwnIsland | undefined,
  isDemo: boolean,
): Stage {
  const isElsewhere = what === 'relay' || what === 'link'
  const isPages = what !== undefined && !isElsewhere
  if (island === undefined) {
    if (isPages) return 'pages'
    return (isElsewhere || isDescribed) && !isDemo ? 'details' : 'choose'
  }
  // Nobody publishes a demo account's island.
  if (!isDraft(island) || (isDemo && island.isOpen)) return 'done'
  if (isPages) return 'pages'
  if (island.isHosted) return step === 'choose' || !island.isOpen ? 'choose' : 'pages'
  return step === undefined || step === 'choose' ? 'details' : step
}

function BegunDrafts({ drafts }: { drafts: readonly OwnIsland[] }) {
  if (drafts.length === 0) return null
  return (
    <section
      aria-label={t`Drafts`}
      className="flex min-w-0 flex-col gap-1 rounded-control border border-island/40 bg-island-soft px-4 py-3 text-sm"
    >
      <h2 className="font-medium">
        <Trans>Drafts you started</Trans>
      </h2>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {drafts.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <Link
              to={paths.newIsland(id, 'publish')}
              className="inline-flex min-w-0 items-center gap-1.5 text-accent underline underline-offset-4 wrap-anywhere"
            >
              <bdi className="min-w-0">{name}</bdi>
              <ArrowRight aria-hidden className="size-3.5 shrink-0" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const lead = t`Make a place of your own. Only you see it until you publish it.`

function Frame(props: { lead?: string | undefined; children: ReactNode }) {
  return (
    <>
      <PageHeader title={t`Island Builder`} lead={props.lead} />
      {props.children}
    </>
  )
}

interface StepProps {
  island: OwnIsland | undefined
  stage: Stage
  what: What | undefined
}

function Step({ island, stage, what }: StepProps) {
  const navigate = useNavigate()
  if (stage === 'choose') return <ChooseStep island={island} />
  if (stage === 'pages') {
    return (
      <PagesStep
        what={what === 'relay' || what === 'link' ? undefined : what}
        island={island}
        onMade={({ id }) =>
          void navigate(paths.newIslandAs(what ?? 'files', id), { replace: true })
        }
        onDone={({ id }) => void navigate(paths.newIsland(id), { replace: true })}
      />
    )
  }
  if (island === undefined) {
    // Replaces the history entry, so that Back leads to the draft, not to an empty form.
    return (
      <NewDetails
        onCreated={({ id }) => void navigate(paths.newIsland(id, 'picture'), { replace: true })}
      />
    )
  }
  if (stage === 'done') return <Published island={island} />
  if (stage === 'details') {
    return (
      <ChangeDetails
        island={island}
        onSaved={() => void navigate(paths.newIsland(island.id, 'picture'))}
      />
    )
  }
  if (stage === 'picture') return <PictureStep island={island} />
  return <PublishStep island={island} />
}

function PictureStep({ island }: { island: OwnIsland }) {
  const { id, picture } = island
  const navigate = useNavigate()
  const { update } = useOwnIslandChanges()
  const form = useApiForm({
    values: { picture },
    draft: keptDraft(`island-picture.${id}.v2`, v.object({ picture: v.number() })),
    read: (body) => ({ body }),
    send: async (body) => {
      if (body.picture !== picture) await update(id, body)
    },
    onSent: () => void navigate(paths.newIsland(id, 'publish')),
  })
  return (
    <WithPreview draft={draftOf(island)} island={island} picture={form.values.picture}>
      <form {...form.wiring} aria-label={t`Picture`} className="flex min-w-0 flex-col gap-6">
        <Card>
          <p className="text-sm text-muted">
            <Trans>
              People see this picture on the page of your island, on its card, and wherever they
              paste its address. You can change it at any time.
            </Trans>
          </p>
          <PictureField
            island={island}
            value={form.values.picture}
            onChange={(next) => form.change({ picture: next })}
          />
        </Card>
        <FormActions form={form} submit={t`Go on`} busy={t`Saving…`}>
          <BackButton to={paths.newIsland(id, 'details')} />
        </FormActions>
      </form>
    </WithPreview>
  )
}

function BackButton({ to }: { to: string }) {
  const navigate = useNavigate()
  return (
    <Button variant="ghost" onClick={() => void navigate(to)}>
      <Trans>Back</Trans>
    </Button>
  )
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
          <BackButton to={paths.newIsland(island.id, 'picture')} />
        </AccessForm>
      </Card>
    </WithPreview>
  )
}

/** Takes the focus when the step changes, because the focused element went with the last step. */
function StepTitle({ of, children }: { of: Stage; children: string }) {
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
