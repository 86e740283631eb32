const nodes = [
  { x: 118, y: 96 },
  { x: 150, y: 150 },
  { x: 96, y: 176 },
  { x: 206, y: 112 },
  { x: 180, y: 64 },
]

/** A thin-lined globe with devices on it. Decorative. */
export function ObservatoryArt({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 320 320" fill="none" className={className}>
      <defs>
        <radialGradient id="observatory-sphere" cx="38%" cy="30%" r="75%">
          <stop offset="0" stopOpacity="0.22" className="[stop-color:var(--color-accent)]" />
          <stop offset="1" stopOpacity="0" className="[stop-color:var(--color-accent)]" />
        </radialGradient>
      </defs>
      <circle cx="160" cy="160" r="118" fill="url(#observatory-sphere)" />
      <g transform="rotate(-18 160 160)" className="stroke-line-strong">
        <circle cx="160" cy="160" r="118" />
        <ellipse cx="160" cy="160" rx="42" ry="118" />
        <ellipse cx="160" cy="160" rx="86" ry="118" />
        <path d="M160 42v236M42 160h236M58 101h204M58 219h204M96 61h128M96 259h128" />
      </g>
      <ellipse
        cx="160"
        cy="160"
        rx="152"
        ry="46"
        transform="rotate(-18 160 160)"
        strokeDasharray="3 7"
        className="stroke-accent/50"
      />
      {nodes.map(({ x, y }) => (
        <g key={x}>
          <circle cx={x} cy={y} r="9" className="fill-online/15" />
          <circle cx={x} cy={y} r="3.5" className="fill-online" />
        </g>
      ))}
    </svg>
  )
}
