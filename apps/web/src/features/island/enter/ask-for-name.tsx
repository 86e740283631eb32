import type { Doorway } from '@astropelago/contract/relay-doors'
import { Link } from 'react-router'
import { failureText } from '../../../lib/failure-text.ts'
import { usePageTitle } from '../../../lib/use-page-title.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Card } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useEntering, useTakeBack, type Goal } from './doorway.ts'

/** Before an island first learns who somebody is, and whenever that one wants to say otherwise. */
export function AskForName({ doorway, goal }: { doorway: Doorway; goal: Goal }) {
  const { name, slug, host, door, yourName, tellsName } = doorway
  usePageTitle(`Enter ${name}`)
  const entering = useEntering(goal)
  const takingBack = useTakeBack(slug)
  // On the way out nothing is pressed a second time.
  const isLeaving = entering.isPending || entering.isSuccess
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-8">
      <PageHeader
        title={
          <>
            Enter <bdi className="wrap-anywhere">{name}</bdi>
          </>
        }
        lead={
          host === null ? (
            'It belongs to whoever runs this server.'
          ) : (
            <>
              It runs on a device of{' '}
              <bdi className="font-medium wrap-anywhere text-ink">{host}</bdi>, who alone decides
              what it shows and what becomes of what you do there.
            </>
          )
        }
      />
      <Card aria-labelledby="may-it-know">
        <h2 id="may-it-know" className="text-title font-semibold">
          May it know who you are?
        </h2>
        <p className="text-sm text-muted">
          If you say yes, it learns your name,{' '}
          <bdi className="wrap-anywhere text-ink">{yourName}</bdi>, and a number by which it
          recognizes you when you come back. Every island gets another number, and none of them ever
          asks for your password.
        </p>
        {door !== 'public' && (
          <p className="text-sm text-muted">
            If you say no, it only learns that somebody came who is allowed in.
            {door === 'invited' && ' Who its members are its host sees in any case.'}
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
              Enter as <bdi>{yourName}</bdi>
            </span>
          </Button>
          <Button
            size="lg"
            variant="outline"
            busy={isLeaving && !entering.variables}
            disabled={isLeaving}
            onClick={() => entering.mutate(false)}
          >
            Enter without my name
          </Button>
        </div>
        <FormError>{failureText(entering.error)}</FormError>
        <p className="text-sm text-muted">
          Your answer is kept for this island. You can change it, or take it back, from its page.
        </p>
      </Card>
      <div className="flex flex-col items-start gap-3">
        <output className="text-sm text-muted">
          {tellsName !== null &&
            `Your answer until now: ${tellsName ? `it is told that you are ${yourName}` : 'it is not told your name'}.`}
          {takingBack.isSuccess && 'Taken back. It is told your name no more.'}
        </output>
        {tellsName !== null && (
          <Button
            variant="outline"
            size="sm"
            busy={takingBack.isPending}
            onClick={() => takingBack.mutate()}
          >
            Take my answer back
          </Button>
        )}
        <FormError>{failureText(takingBack.error)}</FormError>
        <Link to={paths.island(slug)} className={buttonStyles({ variant: 'link', size: 'sm' })}>
          Don’t enter, show its page
        </Link>
      </div>
    </div>
  )
}
