import type { Doorway } from '@astropelago/contract/relay-access'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { failureText } from '../../../lib/failure-text.ts'
import { installationName } from '../../../lib/installation.ts'
import { LinkButton } from '../../../lib/link-button.tsx'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useEntering, useTakeBack, type Goal } from './doorway.ts'
import { useShownAWhile } from './use-shown-a-while.ts'

interface AskingProps {
  doorway: Doorway
  goal: Goal
}

export function AskForName({ doorway, goal }: AskingProps) {
  const { isDemo } = useUser()
  if (!doorway.isHosted) return <AskBeforeEntering doorway={doorway} goal={goal} />
  return isDemo ? (
    <OnlyReading doorway={doorway} goal={goal} />
  ) : (
    <AskForPages doorway={doorway} goal={goal} />
  )
}

function AskBeforeEntering({ doorway, goal }: AskingProps) {
  const { name, slug, host, access, yourName } = doorway
  usePageTitle(t`Enter ${name}`)
  const siteName = installationName()
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-8">
      <PageHeader
        title={
          <Trans>
            Enter <bdi className="wrap-anywhere">{name}</bdi>
          </Trans>
        }
        lead={
          host === null ? (
            t`The operator of this server also runs this island.`
          ) : (
            <Trans>
              It runs on a device of{' '}
              <bdi className="font-medium wrap-anywhere text-ink">{host}</bdi>. They alone decide
              what it shows and what happens to what you do there.
            </Trans>
          )
        }
      />
      <Card aria-labelledby="may-it-know">
        <h2 id="may-it-know" className="text-title font-semibold">
          <Trans>May this island know who you are?</Trans>
        </h2>
        <p className="text-sm text-muted">
          <Trans>
            If you say yes, the island learns your name,{' '}
            <bdi className="wrap-anywhere text-ink">{yourName}</bdi>, and a number that it
            recognizes you by when you come back. Each island gets a different number. Never type
            your {siteName} password there.
          </Trans>
        </p>
        {access !== 'public' && (
          <p className="text-sm text-muted">
            <Trans>If you say no, the island only learns that somebody came who may enter.</Trans>{' '}
            {access === 'invited' && t`The host can always see who the members are.`}
          </p>
        )}
        <Answers
          goal={goal}
          yes={
            <Trans>
              Enter as <bdi>{yourName}</bdi>
            </Trans>
          }
          no={t`Enter without my name`}
        />
      </Card>
      <div className="flex flex-col items-start gap-3">
        <AnswerSoFar doorway={doorway} />
        <LinkButton to={paths.island(slug)} variant="link" size="sm">
          <Trans>Don’t enter, go to its page</Trans>
        </LinkButton>
      </div>
    </div>
  )
}

/** Mostly in a small window, which an island’s page opened before its visitor’s first message or value. */
function AskForPages({ doorway, goal }: AskingProps) {
  const { name, host, yourName } = doorway
  usePageTitle(t`${name} asks who you are`)
  const siteName = installationName()
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-6">
      <PageHeader
        title={
          <Trans>
            <bdi className="wrap-anywhere">{name}</bdi> asks who you are
          </Trans>
        }
      />
      <Card aria-labelledby="may-it-know">
        <h2 id="may-it-know" className="text-title font-semibold">
          <Trans>May this island know who you are?</Trans>
        </h2>
        <p className="text-sm text-muted">
          <Trans>
            If you say yes, you can write there. The island then learns your name,{' '}
            <bdi className="wrap-anywhere text-ink">{yourName}</bdi>, and that it is you when you
            come again. It stores what you write there, and others see it with your name. You can
            see and delete all of it in your account.
          </Trans>
        </p>
        <p className="text-sm text-muted">
          {host !== null && (
            <Trans>
              Its pages are by <bdi className="font-medium wrap-anywhere text-ink">{host}</bdi>.
            </Trans>
          )}{' '}
          <Trans>Never type your {siteName} password there.</Trans>
        </p>
        <Answers
          goal={goal}
          yes={
            <Trans>
              Yes, as <bdi>{yourName}</bdi>
            </Trans>
          }
          no={t`No, stay without a name`}
        />
      </Card>
      <div className="flex flex-col items-start gap-3">
        <AnswerSoFar doorway={doorway} />
      </div>
    </div>
  )
}

function OnlyReading({ doorway, goal }: AskingProps) {
  const { name } = doorway
  usePageTitle(name)
  const entering = useEntering(goal)
  const isLeaving = entering.isPending || entering.isSuccess
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-6">
      <PageHeader
        title={t`A demo account can only read`}
        lead={
          <Trans>
            You can look around on <bdi className="wrap-anywhere">{name}</bdi>. To write there, sign
            in with an account of your own.
          </Trans>
        }
      >
        <Button size="lg" busy={isLeaving} onClick={() => entering.mutate(undefined)}>
          <Trans>Go on reading</Trans>
        </Button>
      </PageHeader>
      <FormError>{failureText(entering.error)}</FormError>
    </div>
  )
}

function Answers({ goal, yes, no }: { goal: Goal; yes: ReactNode; no: string }) {
  const entering = useEntering(goal)
  // While the browser leaves for the island, the buttons must not work a second time.
  const isLeaving = entering.isPending || entering.isSuccess
  // Islands open this page themselves, and could place it below a press.
  const isShown = useShownAWhile()
  const answer = (tellsName: boolean) => {
    if (isShown) entering.mutate(tellsName)
  }
  return (
    <>
      <div className="flex flex-col gap-3">
        <Button
          size="lg"
          className="max-w-full"
          busy={isLeaving && entering.variables}
          disabled={isLeaving}
          aria-disabled={!isShown}
          onClick={() => answer(true)}
        >
          <span className="min-w-0 truncate">{yes}</span>
        </Button>
        <Button
          size="lg"
          variant="outline"
          busy={isLeaving && !entering.variables}
          disabled={isLeaving}
          aria-disabled={!isShown}
          onClick={() => answer(false)}
        >
          {no}
        </Button>
      </div>
      <FormError>{failureText(entering.error)}</FormError>
      <p className="text-sm text-muted">
        <Trans>
          Your answer is saved for this island. You can change it or take it back on the page of the
          island.
        </Trans>
      </p>
    </>
  )
}

function AnswerSoFar({ doorway }: { doorway: Doorway }) {
  const { slug, yourName, tellsName } = doorway
  const takingBack = useTakeBack(slug)
  return (
    <>
      <output className="text-sm text-muted">
        {tellsName !== null &&
          (tellsName
            ? t`Your answer so far: yes, as ${yourName}.`
            : t`Your answer so far: no, without your name.`)}
        {takingBack.isSuccess &&
          t`Your answer is taken back. The island no longer learns your name.`}
      </output>
      {tellsName !== null && (
        <Button
          variant="outline"
          size="sm"
          busy={takingBack.isPending}
          onClick={() => takingBack.mutate()}
        >
          <Trans>Take my answer back</Trans>
        </Button>
      )}
      <FormError>{failureText(takingBack.error)}</FormError>
    </>
  )
}
