import type { OwnCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { NameLink } from '../../lib/name-link.tsx'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useNow } from '../../lib/use-now.ts'
import { paths } from '../../paths.ts'
import { duration } from '../../ui/history-words.ts'
import { CheckBadge } from './check-mark.tsx'
import { oftenText, kinds, stateOf, targetText, tookText } from './check-words.ts'

const clockMs = 5000

export function CheckList({ checks }: { checks: readonly OwnCheck[] }) {
  const nowMs = useNow(clockMs)
  return (
    <ul aria-label={t`Your checks`} className="flex flex-col">
      {checks.map((check) => (
        <CheckItem key={check.id} check={check} nowMs={nowMs} />
      ))}
    </ul>
  )
}

function CheckItem({ check, nowMs }: { check: OwnCheck; nowMs: number }) {
  const { id, name, target, note, tookMs, checkedAt } = check
  const state = stateOf(check)
  return (
    <li
      data-numeric
      className="grid min-w-0 gap-x-6 gap-y-2 border-b border-line py-4 last:border-0 grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1fr)_11rem_8rem]"
    >
      <div className="col-span-2 flex min-w-0 flex-col gap-0.5 md:col-span-1">
        <h2 className="min-w-0 font-sans text-base font-medium wrap-anywhere">
          <NameLink to={paths.check(id)}>{name}</NameLink>
        </h2>
        <TargetLine target={target} />
        {state === 'down' && note !== null && (
          <p dir="auto" className="text-sm wrap-anywhere text-danger">
            {note}
          </p>
        )}
      </div>
      <div className="flex flex-col items-start">
        <CheckBadge state={state} />
        <span className="ps-5 text-xs text-muted">
          <Lasted check={check} nowMs={nowMs} />
        </span>
      </div>
      <div className="flex flex-col items-end text-xs text-muted">
        {tookMs !== null && <span className="text-sm text-ink">{tookText(tookMs)}</span>}
        {checkedAt !== null && <TimeAgo at={checkedAt} nowMs={nowMs} />}
      </div>
    </li>
  )
}

function TargetLine({ target }: Pick<OwnCheck, 'target'>) {
  const kind = kinds[target.kind].name
  const what = targetText(target)
  const every = oftenText(target)
  return (
    <p className="text-sm wrap-anywhere text-muted">
      {what === '' ? t`${kind} · ${every}` : t`${kind} · ${what} · ${every}`}
    </p>
  )
}

/** How long a check has been what it is. */
function Lasted({ check, nowMs }: { check: OwnCheck; nowMs: number }) {
  const { target, since, checkedAt, isPaused } = check
  if (checkedAt === null && !isPaused) {
    return target.kind === 'push' ? t`Waits for its first report` : t`Not checked yet`
  }
  if (since === null || isPaused) return null
  const time = duration(Math.max(0, nowMs - Date.parse(since)) / 1000)
  return <Trans context="until now">for {time}</Trans>
}
