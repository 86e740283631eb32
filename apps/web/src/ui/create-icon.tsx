import type { ComponentProps, FunctionComponent } from 'react'

export type IconComponent = FunctionComponent<Omit<ComponentProps<'svg'>, 'children'>>

/** For apps/web/bundle-icons.ts. Screen readers skip an icon without a label or a role. */
export function createIcon(shapes: string): IconComponent {
  // Created once, because React parses the shapes again if this object changes.
  const html = { __html: shapes }
  return function Icon(props) {
    const isHidden = (props['aria-label'] ?? props['aria-labelledby'] ?? props.role) === undefined
    return (
      <svg
        width={24}
        height={24}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden={isHidden || undefined}
        {...props}
        // The shapes come from Lucide's package at build time.
        dangerouslySetInnerHTML={html}
      />
    )
  }
}
