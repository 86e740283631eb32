import {
  listPagesReviews,
  passPagesReview,
  previewPagesReview,
  type PagesReview,
} from '@astropelago/contract/hosted-pages'
import { reviewsListed } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import ShieldCheck from 'virtual:icon/shield-check'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { openFromHere } from '../../lib/open-from-here.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RemovableItem } from '../../ui/removable-item.tsx'
import { AtTime } from './at-time.tsx'
import { OperatorListCard } from './operator-list-card.tsx'
import { operatorKey, useAction } from './operator-query.ts'
import { HideOrShow, SubjectName, UserLink } from './subject-details.tsx'

/** New ones appear by themselves while the list is open. */
const pollMs = 30_000

/** Deployments that a rule found suspicious. */
export function PagesReviews() {
  const query = useQuery({
    queryKey: [operatorKey, 'pages-reviews'],
    queryFn: ({ signal }) => call(listPagesReviews, { signal }),
    refetchInterval: pollMs,
  })
  const reviews = query.data ?? []
  return (
    <OperatorListCard
      of={t`The pages to look at`}
      title={t`Pages to look at`}
      description={t`Pages on this server that ask for a password, or carry its name. They may want to deceive visitors. Until you find nothing wrong, they can’t be listed in Explore.`}
      query={query}
      isEmpty={reviews.length === 0}
      empty={
        <EmptyState icon={<ShieldCheck aria-hidden />} title={t`Nothing waits for you`}>
          <p>
            <Trans>As soon as somebody publishes such pages, you see them here.</Trans>
          </p>
        </EmptyState>
      }
    >
      <ul aria-label={t`Pages to look at`} className="flex min-w-0 flex-col">
        {reviews.map((review) => (
          <ReviewItem key={review.deployment} review={review} />
        ))}
      </ul>
      {reviews.length >= reviewsListed && (
        <p className="text-sm text-muted">
          <Trans>These are the oldest {reviewsListed}. There may be more.</Trans>
        </p>
      )}
    </OperatorListCard>
  )
}

const reasons: Readonly<Record<PagesReview['why'], string>> = {
  password: t`They ask for a password.`,
  name: t`They carry the name of this server.`,
}

function ReviewItem({ review }: { review: PagesReview }) {
  const { deployment, at, island, host, why, isListed } = review
  const { id, slug, name } = island
  const opening = useMutation({
    mutationFn: async () =>
      openFromHere((await call(previewPagesReview, { params: { deployment } })).address),
  })
  const passing = useAction(
    () => call(passPagesReview, { params: { deployment } }),
    t`The pages of ${name} can be listed`,
  )
  return (
    <RemovableItem error={failureText(passing.error ?? opening.error)}>
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
          <h3 className="text-sm font-medium wrap-anywhere">
            <bdi>{name}</bdi>
          </h3>
          <p className="text-sm text-ink">{reasons[why]}</p>
          <p className="text-xs wrap-anywhere text-muted">
            {slug}
            {' · '}
            {host === null ? (
              <Trans>belongs to this server</Trans>
            ) : (
              <Trans>
                of <UserLink username={host} />
              </Trans>
            )}
            {' · '}
            <AtTime at={at} />
          </p>
          {isListed && (
            <p className="text-xs text-muted">
              <Trans>This island is listed, so visitors still see the pages before these.</Trans>
            </p>
          )}
        </div>
        <div className="flex max-w-full flex-wrap gap-2">
          <Button
            variant="outline"
            size="sm"
            busy={opening.isPending}
            aria-label={t`Open the pages of ${name}`}
            onClick={() => opening.mutate()}
          >
            <Trans>Open the pages</Trans>
          </Button>
          <Button
            variant="outline"
            size="sm"
            busy={passing.isPending}
            aria-label={t`Nothing wrong with ${name}`}
            onClick={() => passing.mutate()}
          >
            <Trans>Nothing wrong</Trans>
          </Button>
          <HideOrShow
            kind="island"
            id={id}
            name={name}
            isHidden={false}
            hiding={
              <Trans>
                <SubjectName>{name}</SubjectName> disappears for everybody at once, also for its
                members. Its host keeps it, and sees that it is hidden and why.
              </Trans>
            }
            showing={null}
          />
        </div>
      </div>
    </RemovableItem>
  )
}
