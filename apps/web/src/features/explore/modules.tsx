import { useSession } from '../../lib/session.ts'
import { LockedObservatory } from './locked-observatory.tsx'
import { LockedModule, ModuleLink, ModuleSkeleton } from './module-tiles.tsx'
import { modules } from './module-list.ts'

const titleId = 'modules'

/**
 * Four tiles. They are links for signed-in users, and locked for visitors if they lead to a page that needs
 * an account.
 */
export function Modules() {
  const { state } = useSession()
  const tiles = { checking: ModuleSkeleton, 'signed-out': LockedModule, 'signed-in': ModuleLink }
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-6">
      <div className="flex flex-col gap-1">
        <h2 id={titleId} className="text-title font-semibold">
          Modules
        </h2>
        <p className="text-muted">The parts of this site that are about islands.</p>
      </div>
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
    </section>
  )
}
