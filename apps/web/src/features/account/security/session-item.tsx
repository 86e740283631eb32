import type { Session } from '@astropelago/contract/sessions'
import Monitor from 'virtual:icon/monitor'
import Smartphone from 'virtual:icon/smartphone'
import SquareTerminal from 'virtual:icon/square-terminal'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { TimeAgo } from '../../../lib/time-ago.tsx'
import { accountFailure } from '../account-failure.ts'
import { useEndSession } from './sessions-query.ts'

const unknownDevice = 'Unknown browser'

interface SessionItemProps {
  session: Session
  nowMs: number
}

/** One session. It can be ended, unless it is this browser's own. */
export function SessionItem({ session, nowMs }: SessionItemProps) {
  const { id, device, addressFamily, createdAt, lastUsedAt, isCurrent } = session
  const showToast = useToast()
  const ending = useEndSession(() => showToast({ title: 'Session ended' }))
  const name = device ?? unknownDevice
  return (
    <li className="flex min-w-0 flex-col gap-3 border-b border-line py-3.5 last:border-0">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 items-start gap-3.5">
          <DeviceIcon device={name} />
          <div className="flex min-w-0 flex-col gap-0.5">
            <span className="text-sm font-medium wrap-anywhere">{name}</span>
            <span className="text-xs text-muted">
              signed in <TimeAgo at={createdAt} nowMs={nowMs} />
              {addressFamily !== null && ` over ${addressFamily}`},{' '}
              {isCurrent ? 'in use now' : <LastUse at={lastUsedAt} nowMs={nowMs} />}
            </span>
          </div>
        </div>
        {isCurrent ? (
          <span className="rounded-full border border-accent/40 bg-accent-soft px-2.5 py-0.5 text-xs">
            This browser
          </span>
        ) : (
          <AskFirst
            label="End"
            name={`End the session of ${name}`}
            keep="Keep it"
            confirm="End session"
            busy={ending.isPending}
            onConfirm={() => ending.mutate(id)}
          >
            This browser is signed out at once. A command that reports with this session stops.
          </AskFirst>
        )}
      </div>
      <FormError>{ending.isError ? accountFailure(ending.error) : undefined}</FormError>
    </li>
  )
}

const hourMs = 3_600_000

/** The server rounds the time to the hour, so minutes would be false precision. */
function LastUse({ at, nowMs }: { at: string; nowMs: number }) {
  if (nowMs - Date.parse(at) < hourMs) return 'used within the last hour'
  return (
    <>
      last used <TimeAgo at={at} nowMs={nowMs} />
    </>
  )
}

function DeviceIcon({ device }: { device: string }) {
  const look = {
    'aria-hidden': true,
    strokeWidth: 1.75,
    className: 'mt-0.5 size-5 shrink-0 text-muted',
  } as const
  if (/curl|wget|script|command/i.test(device)) return <SquareTerminal {...look} />
  const isHandheld = /android|iphone|ipad|ios|phone|mobile/i.test(device)
  return isHandheld ? <Smartphone {...look} /> : <Monitor {...look} />
}
