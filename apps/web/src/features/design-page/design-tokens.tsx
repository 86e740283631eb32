import { DesignRow, DesignSection } from './design-section.tsx'

const colors = {
  Ground: ['ground', 'panel', 'raised', 'hover', 'veil'],
  Text: ['ink', 'muted', 'faint'],
  Lines: ['line', 'line-strong', 'edge'],
  Accent: ['accent', 'accent-strong', 'accent-soft', 'on-accent', 'island', 'island-soft'],
  Danger: ['danger', 'danger-fill', 'danger-fill-strong', 'danger-soft', 'on-danger'],
  Status: ['online', 'offline', 'unknown'],
} as const
const textSizes = ['xs', 'sm', 'base', 'lg', 'title', 'heading', 'hero'] as const
const spacesPx = [4, 8, 12, 16, 20, 24, 32, 40, 56] as const
const radii = ['mark', 'control', 'card'] as const
const shadows = ['raised', 'glow'] as const

/** The tokens of tokens.css, rendered. */
export function DesignTokens() {
  return (
    <>
      <DesignSection title="Colours">
        {Object.entries(colors).map(([group, names]) => (
          <DesignRow key={group}>
            {names.map((name) => (
              <figure key={name} className="flex flex-col gap-2 text-xs text-muted">
                <div
                  className="rounded-control border border-line-strong"
                  style={{ background: `var(--color-${name})`, width: '8rem', height: '3.5rem' }}
                />
                <figcaption>{name}</figcaption>
              </figure>
            ))}
          </DesignRow>
        ))}
      </DesignSection>
      <DesignSection title="Type scale">
        {textSizes.map((size) => (
          <p
            key={size}
            style={{
              fontSize: `var(--text-${size})`,
              lineHeight: `var(--text-${size}--line-height)`,
              fontFamily: ['title', 'heading', 'hero'].includes(size)
                ? 'var(--font-display)'
                : undefined,
            }}
          >
            {size}: islands above a blue world, 0123456789
          </p>
        ))}
        <p className="font-mono">mono: curl --fail-with-body</p>
        <p className="text-sm" data-numeric>
          tabular figures: 111.111 and 888.888 are as wide
        </p>
      </DesignSection>
      <DesignSection title="Spacing">
        <DesignRow>
          {spacesPx.map((space) => (
            <figure key={space} className="flex flex-col gap-2 text-xs text-muted">
              <div className="bg-accent" style={{ width: space, height: space }} />
              <figcaption>{space} px</figcaption>
            </figure>
          ))}
        </DesignRow>
      </DesignSection>
      <DesignSection title="Corners, elevation and the focus ring">
        <DesignRow>
          {radii.map((radius) => (
            <div
              key={radius}
              className="border border-line-strong bg-panel p-6 text-sm"
              style={{ borderRadius: `var(--radius-${radius})` }}
            >
              {radius}
            </div>
          ))}
          {shadows.map((shadow) => (
            <div
              key={shadow}
              className="rounded-card bg-raised p-6 text-sm"
              style={{ boxShadow: `var(--shadow-${shadow})` }}
            >
              shadow {shadow}
            </div>
          ))}
          <div
            className="rounded-control bg-panel p-6 text-sm"
            style={{ outline: '2px solid var(--color-accent)', outlineOffset: 2 }}
          >
            focus ring
          </div>
        </DesignRow>
      </DesignSection>
    </>
  )
}
