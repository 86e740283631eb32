import { Link } from 'react-router'
import ArrowUpRight from 'virtual:icon/arrow-up-right'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LockedMark } from './locked-mark.tsx'
import type { Module } from './module-list.ts'
import { UnlockButton } from './unlock-button.tsx'

const tileStyles = 'flex min-w-0 flex-1 flex-col items-start gap-3 p-6'
const idOf = ({ name }: Module) => `module-${name.toLowerCase().replace(' ', '-')}`

export function ModuleLink({ module }: { module: Module }) {
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

export function LockedModule({ module }: { module: Module }) {
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

/** The tile without the parts that depend on the viewer. */
export function ModuleSkeleton({ module }: { module: Module }) {
  return (
    <div className={tileStyles}>
      <Skeleton className="mb-3 size-9 rounded-control" />
      <h3 className="font-semibold">{module.name}</h3>
      <p className="text-sm text-muted">{module.about}</p>
    </div>
  )
}
