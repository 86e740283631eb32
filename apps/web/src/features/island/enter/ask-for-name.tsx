import type { Doorway } from '@astropelago/contract/relay-access'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { failureText } from '../../../lib/failure-text.ts'
import { installationName } from '../../../lib/installation.ts'
import { LinkButton } from '../../../lib/link-button.tsx'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useEntering, useTakeBack, type Goal } from './doorway.ts'

export function AskForName({ doorway, goal }: { doorway: Doorway; goal: Goal }) {
  const { name, slug, host, access, yourName, tellsName } = doorway
  usePageTitle(t`Enter ${name}`)
  const siteName = installationName()
  const entering = useEntering(goal)
  const takingBack = useTakeBack(slug)
  // While the browser leaves for the island, the buttons must not work a second time.
  const isLeaving = entering.isPending || entering.isSuccess
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
        <div className="flex flex-col gap-3">
          <Button
            size="lg"
            className="max-w-full"
            busy={isLeaving && entering.variables}
            disabled={isLeaving}
            onClick={() => entering.mutate(true)}
          >
            <span className="min-w-0 truncate">
              <Trans>
                Enter as <bdi>{yourName}</bdi>
              </Trans>
            </span>
          </Button>
          <Button
            size="lg"
            variant="outline"
            busy={isLeaving && !entering.variables}
            disabled={isLeaving}
            onClick={() => entering.mutate(false)}
          >
            <Trans>Enter without my name</Trans>
          </Button>
        </div>
        <FormError>{failureText(entering.error)}</FormError>
        <p className="text-sm text-muted">
          <Trans>
            Your answer is saved for this island. You can change it or take it back on the page of
            the island.
          </Trans>
        </p>
      </Card>
      <div className="flex flex-col items-start gap-3">
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
        <LinkButton to={paths.island(slug)} variant="link" size="sm">
          <Trans>Don’t enter, go to its page</Trans>
        </LinkButton>
      </div>
    </div>
  )
}
