/** A satellite out of its orbit. Decorative. */
export function Adrift({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 280 240" fill="none" className={className}>
      <path
        d="M10 214C36 156 68 124 98 106"
        strokeDasharray="2 8"
        strokeLinecap="round"
        strokeWidth="2"
        className="stroke-accent/60"
      />
      <path
        d="M186 84c40 4 66 40 84 92"
        strokeDasharray="2 8"
        strokeLinecap="round"
        strokeWidth="2"
        className="stroke-line-strong"
      />
      <g className="fill-ink/60">
        <circle cx="40" cy="60" r="1.5" />
        <circle cx="96" cy="28" r="1" />
        <circle cx="236" cy="40" r="1.5" />
        <circle cx="258" cy="216" r="1" />
        <circle cx="120" cy="206" r="1.5" />
      </g>
      <g transform="rotate(24 168 120)">
        <rect x="146" y="96" width="44" height="52" rx="6" className="fill-raised stroke-edge" />
        <circle cx="168" cy="116" r="8" className="fill-ground stroke-muted" />
        <path d="M156 136h24" className="stroke-muted" />
        <path d="M146 122h-12m56 0h8" className="stroke-edge" />
        <path d="M82 104h52v36H82Z" className="fill-raised stroke-accent" />
        <path d="M99 104v36m18-36v36M82 122h52" className="stroke-accent/60" />
        {/* The panel that has come off. */}
        <g transform="rotate(22 232 150)">
          <path d="M206 128h52v36h-52Z" className="fill-raised stroke-accent/70" />
          <path d="M223 128v36m18-36v36m-35-18h52" className="stroke-accent/40" />
        </g>
        <path d="M168 96V78m-10 2q10-14 20 0" className="stroke-muted" />
        <circle cx="168" cy="66" r="3" className="fill-danger" />
      </g>
    </svg>
  )
}
