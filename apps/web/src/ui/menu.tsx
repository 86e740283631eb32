import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface MenuProps {
  trigger: ReactNode
  defaultOpen?: boolean
  /** Keeps the menu within the landmark of its button. An element around it must not clip. */
  inPlace?: boolean
  /** The button has the focus again. */
  onClosed?: () => void
  children: ReactNode
}

/** Load it with useOnDemand, because it is not part of a page's first load. */
export function Menu(props: MenuProps) {
  const { trigger, defaultOpen = false, inPlace = false, onClosed, children } = props
  const content = (
    <Radix.Content
      align="end"
      sideOffset={8}
      // A long menu scrolls, and scrolling elements have to be focusable.
      tabIndex={0}
      collisionPadding={12}
      // Radix moves the focus right after this event.
      onCloseAutoFocus={() => onClosed && queueMicrotask(onClosed)}
      className="z-30 max-h-(--radix-dropdown-menu-content-available-height) min-w-60 animate-appear overflow-y-auto rounded-card border border-line-strong bg-panel p-1.5 shadow-raised"
    >
      {children}
    </Radix.Content>
  )
  return (
    // A modal menu would lock scrolling, which shifts the page.
    <Radix.Root defaultOpen={defaultOpen} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {inPlace ? content : <Radix.Portal>{content}</Radix.Portal>}
    </Radix.Root>
  )
}

export function MenuItem({ className, ...rest }: ComponentProps<typeof Radix.Item>) {
  return (
    <Radix.Item
      {...rest}
      className={classNames(
        'flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-sm text-ink no-underline outline-none select-none data-disabled:opacity-60 data-highlighted:bg-hover data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-edge',
        '[&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted aria-[current=page]:text-accent aria-[current=page]:[&_svg]:text-accent',
        className,
      )}
    />
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-3 py-2 text-xs text-muted">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="mx-3 my-1.5 h-px bg-line" />
}
