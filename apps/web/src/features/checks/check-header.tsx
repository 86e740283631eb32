import type { OwnCheck, PublicCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import EyeOff from 'virtual:icon/eye-off'
import Info from 'virtual:icon/info'
import Pause from 'virtual:icon/pause'
import Pencil from 'virtual:icon/pencil'
import Play from 'virtual:icon/play'
import Trash from 'virtual:icon/trash'
import { ownIslandsQuery } from '../../islands/own-islands-query.ts'
import { failureText } from '../../lib/failure-text.ts'
import { NameLink } from '../../lib/name-link.tsx'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useNow } from '../../lib/use-now.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { duration } from '../../ui/history-words.ts'
import { LiveRegion } from '../../ui/live-region.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import type { OwnCheckDialogProps } from './check-dialog.tsx'
import { CheckMark } from './check-mark.tsx'
import { useCheckChanges } from './check-queries.ts'
import {
  type CheckState,
  everyText,
  kinds,
  stateNames,
  stateOf,
  targetText,
  tookText,
} from './check-words.ts'
import { TryIt } from './try-it.tsx'

interface CheckHeaderProps {
  check: PublicCheck
  own: OwnCheck | null
}

const clockMs = 5000

export function CheckHeader({ check, own }: CheckHeaderProps) {
  const { name, since, kind } = check
  usePageTitle(name)
  const state = stateOf(own ?? check)
  const nowMs = useNow(clockMs)
  return (
    <header className="flex min-w-0 flex-col gap-5">
      <div className="flex min-w-0 flex-col gap-3">
        <h1 dir="auto" className="text-heading font-semibold wrap-anywhere">
          {name}
        </h1>
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-muted">
          <span
            className={`inline-flex items-baseline gap-2.5 font-display text-title font-semibold ${state === 'down' ? 'text-danger' : 'text-ink'}`}
          >
            <CheckMark state={state} className="size-4 self-center" />
            {stateNames[state]}
          </span>
          {since !== null && state !== 'paused' && (
            <Since at={since} time={duration(Math.max(0, nowMs - Date.parse(since)) / 1000)} />
          )}
        </p>
        {own?.note && state !== 'paused' && (
          <p
            dir="auto"
            className={`max-w-3xl wrap-anywhere ${state === 'down' ? 'text-danger' : 'text-ink'}`}
          >
            {own.note}
          </p>
        )}
        {own === null ? (
          <p className="text-sm text-muted">{kinds[kind].name}</p>
        ) : (
          <Facts own={own} nowMs={nowMs} />
        )}
        {state === 'unobserved' && own?.note && (
          <Remark icon={<Info aria-hidden />}>
            <Trans>
              It counts as down after two failures in a row, while this server reaches other
              addresses.
            </Trans>
          </Remark>
        )}
        {state === 'paused' && (
          <Remark icon={<Pause aria-hidden />}>
            <Trans>While it is paused, nobody looks, and you get no alerts.</Trans>
          </Remark>
        )}
        {own?.visibility === 'private' && (
          <Remark icon={<EyeOff aria-hidden />}>
            <Trans>Only you see this page.</Trans>
          </Remark>
        )}
      </div>
      {own && <OwnerButtons own={own} />}
      <LiveRegion>{announcements[state](name)}</LiveRegion>
    </header>
  )
}

const announcements: Readonly<Record<CheckState, (name: string) => string>> = {
  up: (name) => t`${name} is up.`,
  down: (name) => t`${name} is down.`,
  unobserved: (name) => t`${name} is not observed.`,
  paused: (name) => t`${name} is paused.`,
}

function Since({ at, time }: { at: string; time: string }) {
  return (
    <span data-numeric>
      <Trans>
        for {time}, since <LocalTime at={at} />
      </Trans>
    </span>
  )
}

function Remark({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex max-w-xl items-start gap-2 text-sm text-muted [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {icon}
      <span className="min-w-0">{children}</span>
    </p>
  )
}

function Facts({ own, nowMs }: { own: OwnCheck; nowMs: number }) {
  const { target, checkedAt, tookMs, island } = own
  const { data: islands } = useQuery({ ...ownIslandsQuery, enabled: island !== null })
  const opened = islands?.find(({ id }) => id === island)
  const what = targetText(target)
  const isPush = target.kind === 'push'
  const every = everyText(target.periodS)
  return (
    <dl
      data-numeric
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm sm:flex sm:flex-wrap sm:gap-x-8 sm:[&>div]:flex-col"
    >
      <Fact name={kinds[target.kind].name}>{what === '' ? every : what}</Fact>
      {!isPush && <Fact name={t`Checked`}>{every}</Fact>}
      <Fact name={isPush ? t`Last report` : t`Last checked`}>
        {checkedAt === null ? t`not yet` : <TimeAgo at={checkedAt} nowMs={nowMs} />}
      </Fact>
      {tookMs !== null && (
        <Fact name={isPush ? t`It took` : t`The answer took`}>{tookText(tookMs)}</Fact>
      )}
      {opened && (
        <Fact name={t`Opens your island`}>
          <NameLink to={paths.island(opened.slug)}>{opened.name}</NameLink>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents sm:flex sm:min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
    </div>
  )
}

const fetchDialog = async () => (await import('./check-dialog.tsx')).OwnCheckDialog

function OwnerButtons({ own }: { own: OwnCheck }) {
  const { id, isPaused, target } = own
  const navigate = useNavigate()
  const { update } = useCheckChanges()
  const { open, dialog } = useDialog<Omit<OwnCheckDialogProps, 'onClose'>>(fetchDialog)
  const pausing = useMutation({ mutationFn: () => update(id, { isPaused: !isPaused }) })
  const onDeleted = () => void navigate(paths.checks())
  const others = (
    <>
      <Button variant="outline" busy={pausing.isPending} onClick={() => pausing.mutate()}>
        {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
        {isPaused ? t`Go on` : t`Pause`}
      </Button>
      <Button variant="ghost" onClick={() => open({ action: 'edit', check: own, onDeleted })}>
        <Pencil aria-hidden />
        <Trans>Edit</Trans>
      </Button>
      <Button variant="ghost" onClick={() => open({ action: 'delete', check: own, onDeleted })}>
        <Trash aria-hidden />
        <Trans>Delete</Trans>
      </Button>
    </>
  )
  return (
    <>
      {target.kind === 'push' ? (
        <div className="flex flex-wrap gap-3">{others}</div>
      ) : (
        <TryIt id={id} label={t`Check now`}>
          {others}
        </TryIt>
      )}
      <FormError>{pausing.isError ? failureText(pausing.error) : undefined}</FormError>
      {dialog}
    </>
  )
}
