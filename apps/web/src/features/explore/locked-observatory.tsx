import Telescope from 'virtual:icon/telescope'
import { paths } from '../../paths.ts'
import { LockedMark } from './locked-mark.tsx'
import { UnlockButton } from './unlock-button.tsx'

const titleId = 'locked-observatory'

/** Shows visitors what they get by signing in. Below the modules until then. */
export function LockedObservatory() {
  return (
    <article
      aria-labelledby={titleId}
      className="flex flex-wrap items-center gap-x-6 gap-y-4 border-t border-line bg-panel p-6"
    >
      <Telescope aria-hidden strokeWidth={1.25} className="size-9 shrink-0 text-faint" />
      <div className="flex min-w-48 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 id={titleId} className="font-semibold">
            Observatory
          </h3>
          <LockedMark />
        </div>
        <p className="text-sm text-muted">
          Sign in to see the map, the list and the history of every device.
        </p>
      </div>
      <div className="flex">
        <UnlockButton titleId={titleId} path={paths.observatory()} />
      </div>
    </article>
  )
}
