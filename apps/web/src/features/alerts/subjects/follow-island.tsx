import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import Bell from 'virtual:icon/bell'
import BellOff from 'virtual:icon/bell-off'
import { failureText } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { type AlertSubject, subjectAlertsQuery, useChangeSubjectAlerts } from '../alerts-query.ts'
import { AllOffHint, NoChannelHint } from './alert-hints.tsx'
import { FollowSkeleton } from './follow-skeleton.tsx'

export function FollowIsland({ island }: { island: AlertSubject }) {
  const { data, isPending } = useQuery(subjectAlertsQuery(island))
  const changing = useMutation({ mutationFn: useChangeSubjectAlerts(island) })
  // Reserves the space, so that the content below doesn't jump.
  if (isPending) return <FollowSkeleton />
  // If the request fails, there is no button, and nothing is lost.
  if (data === undefined) return null
  // The user's own choice, even while all alerts are off. Otherwise a press would seem to do nothing.
  const follows = data.rules.isOn === true
  const said = data.isOn
    ? t`Alerts about this island are on.`
    : changing.isSuccess && !follows
      ? t`You get no more alerts about it.`
      : ''
  const Icon = follows ? BellOff : Bell
  return (
    <div className="flex w-full min-w-0 flex-col items-start gap-3">
      <Button
        variant="outline"
        busy={changing.isPending}
        onClick={() => changing.mutate({ isOn: follows ? null : true })}
        // In some languages its text is wider than a phone.
        className="h-auto! min-h-10 max-w-full py-2 whitespace-normal!"
      >
        {!changing.isPending && <Icon aria-hidden />}
        {follows ? t`Stop telling me` : t`Tell me when it opens or closes`}
      </Button>
      {follows && !data.isOn && <AllOffHint />}
      {/* Rendered before its text, so that screen readers announce the change after a press. */}
      <output className={said === '' ? 'sr-only' : 'text-sm text-muted'}>{said}</output>
      {data.isOn && <NoChannelHint own={data.rules} />}
      <FormError>{failureText(changing.error)}</FormError>
    </div>
  )
}
