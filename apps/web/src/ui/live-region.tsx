import type { ReactNode } from 'react'

/** Announces changes to screen readers. It has to be on the page before its text. */
export function LiveRegion({ children }: { children: ReactNode }) {
  return (
    <output aria-live="polite" className="sr-only">
      {children}
    </output>
  )
}
