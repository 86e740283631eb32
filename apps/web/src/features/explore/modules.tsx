import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import Anchor from 'virtual:icon/anchor'
import ArrowUpRight from 'virtual:icon/arrow-up-right'
import Library from 'virtual:icon/library'
import LockKeyhole from 'virtual:icon/lock-keyhole'
import RadioTower from 'virtual:icon/radio-tower'
import Telescope from 'virtual:icon/telescope'
import TreePalm from 'virtual:icon/tree-palm'
import { openSignIn } from '../../lib/open-sign-in.ts'
import { useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { IconComponent } from '../../ui/create-icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from './section.tsx'

interface Module {
  readonly name: string
  readonly icon: IconComponent
  readonly about: string
  readonly isAboutIslands: boolean
  readonly to: string
  /** Whether visitors can open it too. */
  readonly isForEverybody?: boolean
}

const modules: readonly Module[] = [
  {
    name: t`Harbor Logs`,
    icon: Anchor,
    about: t`What happens on islands: openings, signals from hosts, notes from visitors.`,
    isAboutIslands: false,
    to: paths.harborLogs(),
  },
  {
    name: t`Signal Relay`,
    icon: RadioTower,
    about: t`What island hosts announce: events to come, and what is new.`,
    isAboutIslands: false,
    to: paths.discoverCategory('signals'),
  },
  {
    name: t`Orbital Library`,
    icon: Library,
    about: t`Short guides, from a first device to an island that lasts.`,
    isAboutIslands: false,
    to: paths.library(),
    isForEverybody: true,
  },
  {
    name: t`Island Builder`,
    icon: TreePalm,
    about: t`Make an island of your own, step by step.`,
    isAboutIslands: true,
    to: paths.newIsland(),
  },
]

/** Links for signed-in users. For visitors, modules that need an account are locked. */
export function Modules() {
  const { state } = useSession()
  const tiles = { checking: ModuleSkeleton, 'signed-out': LockedModule, 'signed-in': ModuleLink }
  return (
    <Section
      id="modules"
      title={t`Modules`}
      lead={t`The parts of this site that are about islands.`}
    >
      <div className="overflow-hidden rounded-card border border-line bg-panel/85">
        {/* The lines are the gaps between the cells, so they never double up. */}
        <ul
          aria-busy={state === 'checking' || undefined}
          className="grid gap-px bg-line sm:grid-cols-2 lg:grid-cols-4"
        >
          {modules.map((module) => {
            const Tile = module.isForEverybody === true ? ModuleLink : tiles[state]
            return (
              <li key={module.name} className="flex min-h-56 bg-panel">
                <Tile module={module} />
              </li>
            )
          })}
        </ul>
        {state === 'signed-out' && <LockedObservatory />}
      </div>
    </Section>
  )
}

const tileStyles = 'flex min-w-0 flex-1 flex-col items-start gap-3 p-6'
const idOf = ({ to }: Module) => `module${to.replaceAll('/', '-')}`

function ModuleLink({ module }: { module: Module }) {
  const { icon: Icon, name, about, isAboutIslands, to } = module
  return (
    <Link
      to={to}
      aria-labelledby={idOf(module)}
      className={classNames(
        tileStyles,
        'group text-ink no-underline -outline-offset-2 transition-colors hover:bg-raised',
      )}
    >
      <span className="mb-3 flex w-full items-start justify-between">
        <Icon
          aria-hidden
          strokeWidth={1.25}
          className={classNames('size-9', isAboutIslands ? 'text-island' : 'text-accent')}
        />
        <ArrowUpRight
          aria-hidden
          className="size-5 text-muted transition-colors group-hover:text-ink"
        />
      </span>
      <h3 id={idOf(module)} className="font-semibold">
        {name}
      </h3>
      <p className="text-sm text-muted">{about}</p>
    </Link>
  )
}

function LockedModule({ module }: { module: Module }) {
  const { icon: Icon, name, about, to } = module
  return (
    <article aria-labelledby={idOf(module)} className={tileStyles}>
      <span className="mb-3 flex w-full items-start justify-between gap-3">
        <Icon aria-hidden strokeWidth={1.25} className="size-9 text-faint" />
        <LockedMark />
      </span>
      <h3 id={idOf(module)} className="font-semibold">
        {name}
      </h3>
      <p className="mb-2 text-sm text-muted">{about}</p>
      <UnlockButton titleId={idOf(module)} path={to} />
    </article>
  )
}

function ModuleSkeleton({ module }: { module: Module }) {
  return (
    <div className={tileStyles}>
      <Skeleton className="mb-3 size-9 rounded-control" />
      <h3 className="font-semibold">{module.name}</h3>
      <p className="text-sm text-muted">{module.about}</p>
    </div>
  )
}

const lockedTitleId = 'locked-observatory'

function LockedObservatory() {
  return (
    <article
      aria-labelledby={lockedTitleId}
      className="flex flex-wrap items-center gap-x-6 gap-y-4 border-t border-line bg-panel p-6"
    >
      <Telescope aria-hidden strokeWidth={1.25} className="size-9 shrink-0 text-faint" />
      <div className="flex min-w-48 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 id={lockedTitleId} className="font-semibold">
            <Trans>Observatory</Trans>
          </h3>
          <LockedMark />
        </div>
        <p className="text-sm text-muted">
          <Trans>Sign in to see the map, the list and the history of every device.</Trans>
        </p>
      </div>
      <div className="flex">
        <UnlockButton titleId={lockedTitleId} path={paths.observatory()} />
      </div>
    </article>
  )
}

function UnlockButton({ titleId, path }: { titleId: string; path: string }) {
  return (
    <Button
      variant="outline"
      size="sm"
      aria-haspopup="dialog"
      aria-describedby={titleId}
      onClick={() => openSignIn(path)}
      className="mt-auto"
    >
      <Trans>Sign in to unlock</Trans>
    </Button>
  )
}

function LockedMark() {
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium text-muted">
      <LockKeyhole aria-hidden className="size-3.5" />
      <Trans>Locked</Trans>
    </span>
  )
}
