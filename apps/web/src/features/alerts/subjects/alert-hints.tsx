import { LinkButton } from '../../../lib/link-button.tsx'
import type { SubjectRules } from '@astropelago/contract/alert-rules'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../paths.ts'
import { ownAlertsQuery } from '../alerts-query.ts'
import { canReach, channelsQuery } from '../channels/channels-query.ts'

/** For users who have turned all alerts off, which overrides what they choose for one subject. */
export function AllOffHint() {
  return (
    <Hint
      text={t`You get no alerts, because you turned all of them off.`}
      link={t`Turn them on in your account`}
    />
  )
}

/** For users without a channel that can deliver alerts about this subject. Empty for others. */
export function NoChannelHint({ own }: { own: SubjectRules | undefined }) {
  const { data } = useQuery(channelsQuery)
  const account = useQuery(ownAlertsQuery)
  const ready = data?.channels.filter(canReach)
  const chosen = own?.channels ?? account.data?.rules.channels ?? null
  if (ready?.length === 0) {
    return (
      <Hint
        text={t`You get no alerts yet, because none of your channels works.`}
        link={t`Add one in your account`}
      />
    )
  }
  if (chosen === null || ready?.some(({ id }) => chosen.includes(id)) !== false) return null
  return (
    <Hint
      text={t`You get no alerts about it, because none of the channels that you chose works right now.`}
      link={t`Check them in your account`}
    />
  )
}

function Hint({ text, link }: { text: string; link: string }) {
  return (
    <p className="rounded-control bg-raised px-4 py-3 text-sm">
      {text}{' '}
      <LinkButton to={paths.accountPart('alerts')} variant="link">
        {link}
      </LinkButton>
    </p>
  )
}
