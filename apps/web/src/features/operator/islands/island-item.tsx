import type { OperatorIsland } from '@astropelago/contract/operator-islands'
import { Link } from 'react-router'
import EyeOff from 'virtual:icon/eye-off'
import Unplug from 'virtual:icon/unplug'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { DeviceLink } from '../../../devices/device-link.tsx'
import { accessWords } from '../../../islands/island-words.ts'
import { AtTime } from '../at-time.tsx'

export type IslandAction = 'hide' | 'show' | 'hand-over' | 'stop-relay' | 'start-relay'

interface IslandItemProps {
  readonly island: OperatorIsland
  readonly onAct: (action: IslandAction) => void
}

const linkStyles =
  'text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current'

/** One island: its facts, its host, its access policy, and an operator's actions. */
export function IslandItem({ island, onAct }: IslandItemProps) {
  const { name, slug, host, address, isOpen, pause } = island
  const { memberCount, createdAt, hidden, relayStopped } = island
  return (
    <li className="flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line py-4 first:pt-0 last:border-0 last:pb-0">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
        <h3 className="text-sm font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </h3>
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          {isForEverybody(island) ? (
            <Link to={paths.island(slug)} className={`wrap-anywhere ${linkStyles}`}>
              {slug}
            </Link>
          ) : (
            <span className="wrap-anywhere">{slug}</span>
          )}
          <Dot />
          {host === null ? (
            <span>belongs to this server</span>
          ) : (
            <span>
              of{' '}
              <Link to={paths.mothership('users', { user: host })} className={linkStyles}>
                {host}
              </Link>
            </span>
          )}
          <Dot />
          <span>{stateOf(island)}</span>
        </p>
        <p
          data-numeric
          className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted"
        >
          <span>{isOpen ? 'open' : pause === null ? 'closed' : 'paused'}</span>
          <Dot />
          <span>{memberCount === 1 ? '1 member' : `${memberCount} members`}</span>
          <Dot />
          <span>
            made <AtTime at={createdAt} />
          </span>
          {address !== null && (
            <>
              <Dot />
              <span className="flex max-w-72 min-w-0">
                <DeviceLink link={address} />
              </span>
            </>
          )}
        </p>
        {hidden !== null && (
          <p className="flex items-start gap-2 text-xs text-danger">
            <EyeOff aria-hidden className="mt-0.5 size-3.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              Hidden since <AtTime at={hidden.at} />: {hidden.reason}
            </span>
          </p>
        )}
        {relayStopped !== null && (
          <p className="flex items-start gap-2 text-xs text-danger">
            <Unplug aria-hidden className="mt-0.5 size-3.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              Relay stopped since <AtTime at={relayStopped.at} />: {relayStopped.reason}
            </span>
          </p>
        )}
      </div>
      <div className="flex max-w-full flex-wrap gap-2">
        {hidden === null ? (
          <Button
            variant="outline"
            size="sm"
            aria-label={`Hide ${name}`}
            onClick={() => onAct('hide')}
          >
            Hide
          </Button>
        ) : (
          <Button
            variant="outline"
            size="sm"
            aria-label={`Show ${name} again`}
            onClick={() => onAct('show')}
          >
            Show again
          </Button>
        )}
        <Button
          variant="outline"
          size="sm"
          aria-label={`Hand ${name} over`}
          onClick={() => onAct('hand-over')}
        >
          Hand over
        </Button>
        {relayStopped === null && island.isRelayed && (
          <Button
            variant="outline"
            size="sm"
            aria-label={`Stop the relay of ${name}`}
            onClick={() => onAct('stop-relay')}
          >
            Stop relay
          </Button>
        )}
        {relayStopped !== null && (
          <Button
            variant="outline"
            size="sm"
            aria-label={`Start the relay of ${name} again`}
            onClick={() => onAct('start-relay')}
          >
            Start relay
          </Button>
        )}
      </div>
    </li>
  )
}

function Dot() {
  return <span aria-hidden>·</span>
}

/**
 * Access policies apply to operators too, so a link to an island that not everybody may know about would
 * lead nowhere.
 */
function isForEverybody({ publishedAt, access, isListed, hidden }: OperatorIsland): boolean {
  return publishedAt !== null && hidden === null && (access === 'public' || isListed)
}

function stateOf({ publishedAt, access, isListed }: OperatorIsland): string {
  if (publishedAt === null) return 'draft'
  const forWhom = accessWords[access].name.replace('For', 'for')
  return isListed ? `${forWhom}, listed` : `${forWhom}, not listed`
}
