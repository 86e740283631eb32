import { EmptyState } from '../../../ui/empty-state.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'

/** Where the browser draws nothing at all. */
export function GlobeImpossible() {
  return (
    <div className="flex h-[460px] flex-col justify-center">
      <EmptyState title="Your browser can’t draw the globe here">
        <p>The list below has the same devices, and everything that can be done with them.</p>
        <a href="#device-list" className={buttonStyles({ variant: 'outline', size: 'sm' })}>
          Go to the list
        </a>
      </EmptyState>
    </div>
  )
}
