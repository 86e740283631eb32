import { t } from '@lingui/core/macro'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import X from 'virtual:icon/x'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** Load it with useOnDemand, because it is not part of a page's first load. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, wide = false, children } = props
  const opener = useRef<Element>(null)
  const lastEscape = useRef<KeyboardEvent>(null)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 grid animate-appear grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto bg-veil p-4 backdrop-blur-sm">
          <Radix.Content
            {...(description === undefined ? { 'aria-describedby': undefined } : {})}
            onEscapeKeyDown={(event) => {
              lastEscape.current = event
              // An open list in the dialog handles Escape itself.
              if (isExpanded(event.target)) event.preventDefault()
            }}
            onKeyDown={({ key, target, currentTarget, nativeEvent }) => {
              // Radix notifies only the newest layer. That can be a toast, which leaves Escape to the
              // dialog.
              const isLeft = key === 'Escape' && lastEscape.current !== nativeEvent
              const isWithin = target instanceof Node && currentTarget.contains(target)
              if (isLeft && isWithin && !isExpanded(target)) onOpenChange(false)
            }}
            onOpenAutoFocus={() => {
              opener.current = document.activeElement
            }}
            onCloseAutoFocus={(event) => {
              // Radix would look for its own trigger, but a dialog opened by state has none.
              event.preventDefault()
              if (opener.current instanceof HTMLElement) opener.current.focus()
            }}
            className={classNames(
              'relative flex w-full animate-rise flex-col gap-6 rounded-card border border-line-strong bg-panel p-6 shadow-raised outline-none sm:p-8',
              wide ? 'max-w-2xl' : 'max-w-md',
            )}
          >
            <header className="flex flex-col gap-1.5 pe-10">
              <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="text-sm text-muted">{description}</div>
                </Radix.Description>
              )}
            </header>
            {children}
            {/* Last, so that the keyboard reaches the first field first. */}
            <Radix.Close asChild>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t`Close`}
                className="absolute top-4 end-4 sm:top-6 sm:end-6"
              >
                <X aria-hidden className="text-muted" />
              </Button>
            </Radix.Close>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

function isExpanded(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.getAttribute('aria-expanded') === 'true'
}
