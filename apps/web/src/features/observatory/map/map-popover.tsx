import { ChevronLeft, X } from 'lucide-react'
import { type ReactNode, type Ref, useId } from 'react'

interface MapPopoverProps {
  readonly ref: Ref<HTMLDialogElement>
  readonly title: string
  readonly onClose: () => void
  readonly onBack: (() => void) | undefined
  readonly children: ReactNode
}

/** A box beside a place of the map. It takes the focus when it opens. */
export function MapPopover({ ref, title, onClose, onBack, children }: MapPopoverProps) {
  const titleId = useId()
  return (
    <dialog
      ref={ref}
      open
      tabIndex={-1}
      aria-labelledby={titleId}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
      className="absolute top-0 right-auto left-0 z-10 m-0 flex max-h-[20rem] w-[17rem] max-w-[calc(100%-16px)] flex-col overflow-hidden rounded-control border border-line-strong bg-panel p-0 text-ink shadow-raised outline-none"
    >
      <header className="flex items-start gap-1 border-b border-line py-2 pr-1.5 pl-3">
        {onBack !== undefined && (
          <PopoverButton name="Back to the devices here" onPress={onBack}>
            <ChevronLeft aria-hidden className="size-4" />
          </PopoverButton>
        )}
        <h3
          id={titleId}
          dir="auto"
          className="min-w-0 flex-1 py-1 text-sm font-semibold break-words"
        >
          {title}
        </h3>
        <PopoverButton name="Close" onPress={onClose}>
          <X aria-hidden className="size-4" />
        </PopoverButton>
      </header>
      {children}
    </dialog>
  )
}

interface PopoverButtonProps {
  readonly name: string
  readonly onPress: () => void
  readonly children: ReactNode
}

function PopoverButton({ name, onPress, children }: PopoverButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      onClick={onPress}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-mark text-muted transition-colors hover:bg-hover hover:text-ink"
    >
      {children}
    </button>
  )
}
