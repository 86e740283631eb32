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
import { ApiError } from '../../lib/api-error.ts'
import { failureText } from '../../lib/failure-text.ts'
import { NameLink } from '../../lib/name-link.tsx'
import { clockMs, HiddenRemark, Remark, Since, SubjectHeader } from '../../lib/subject-header.tsx'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useNow } from '../../lib/use-now.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import type { OwnCheckDialogProps } from './check-dialog.tsx'
import { CheckMark } from './check-mark.tsx'
import { useCheckChanges } from './check-queries.ts'
import {
  type CheckState,
  oftenText,
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

export function CheckHeader({ check, own }: CheckHeaderProps) {
  const { name, since, kind } = check
  const state = stateOf(own ?? check)
  const isDown = state === 'down'
  return (
    <SubjectHeader
      name={name}
      mark={<CheckMark state={state} className="size-4 self-center" />}
      state={stateNames[state]}
      isDown={isDown}
      since={since !== null && state !== 'paused' && <Since at={since} />}
      announcement={announcements[state](name)}
      actions={own && <OwnerButtons own={own} />}
    >
      {own?.note && state !== 'paused' && (
        <p dir="auto" className={`max-w-3xl wrap-anywhere ${isDown ? 'text-danger' : 'text-ink'}`}>
          {own.note}
        </p>
      )}
      {own === null ? (
        <p className="text-sm text-muted">{kinds[kind].name}</p>
      ) : (
        <Facts own={own} />
      )}
      {state === 'unobserved' && own?.note && own.device === null && (
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
      {own?.hidden && <HiddenRemark reason={own.hidden.reason} />}
    </SubjectHeader>
  )
}

const announcements: Readonly<Record<CheckState, (name: string) => string>> = {
  up: (name) => t`${name} is up.`,
  down: (name) => t`${name} is down.`,
  unobserved: (name) => t`${name} is not observed.`,
  paused: (name) => t`${name} is paused.`,
}

function Facts({ own }: { own: OwnCheck }) {
  const nowMs = useNow(clockMs)
  const { target, checkedAt, tookMs, island } = own
  const { data: islands } = useQuery({ ...ownIslandsQuery, enabled: island !== null })
  const opened = islands?.find(({ id }) => id === island)
  const what = targetText(target)
  const isPush = target.kind === 'push'
  const every = oftenText(target)
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

/** Such checks come paused from an import. */
function whyNot(error: unknown): string | undefined {
  const isInside = error instanceof ApiError && needsDevice.has(error.code)
  return isInside
    ? t`This server can’t look there. Edit the check, and choose the device that it runs from.`
    : failureText(error)
}

const needsDevice: ReadonlySet<string> = new Set(['inside_address', 'invalid_check'])

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
      <FormError>{pausing.isError ? whyNot(pausing.error) : undefined}</FormError>
      {dialog}
    </>
  )
}
