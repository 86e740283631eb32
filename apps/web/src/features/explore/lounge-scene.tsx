const stars = [
  { x: -28, y: 96, radius: 0.9 },
  { x: -12, y: 330, radius: 1 },
  { x: 586, y: 70, radius: 1 },
  { x: 598, y: 268, radius: 0.9 },
  { x: 36, y: 44, radius: 1.2 },
  { x: 88, y: 118, radius: 0.8 },
  { x: 132, y: 30, radius: 1 },
  { x: 196, y: 82, radius: 0.8 },
  { x: 244, y: 36, radius: 1.4 },
  { x: 318, y: 64, radius: 0.9 },
  { x: 372, y: 28, radius: 1.1 },
  { x: 520, y: 40, radius: 0.8 },
  { x: 548, y: 142, radius: 1.2 },
  { x: 30, y: 196, radius: 0.9 },
  { x: 506, y: 214, radius: 1 },
  { x: 72, y: 300, radius: 1.1 },
  { x: 536, y: 318, radius: 0.8 },
  { x: 158, y: 372, radius: 0.9 },
  { x: 452, y: 378, radius: 1.1 },
]

const bulbs = [
  { x: 194, y: 187 },
  { x: 208, y: 192 },
  { x: 224, y: 191 },
  { x: 239, y: 183 },
  { x: 361, y: 183 },
  { x: 376, y: 191 },
  { x: 392, y: 192 },
  { x: 406, y: 187 },
]

/** A floating island at night with a lit house. Decorative. */
export function LoungeScene({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="-60 0 680 420"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      className={className}
    >
      <defs>
        <radialGradient id="lounge-night" cx="62%" cy="48%" r="62%">
          <stop offset="0" stopOpacity="0.3" className="[stop-color:var(--color-island)]" />
          <stop offset="0.5" stopOpacity="0.1" className="[stop-color:var(--color-island)]" />
          <stop offset="1" stopOpacity="0" className="[stop-color:var(--color-island)]" />
        </radialGradient>
        <radialGradient id="lounge-glow">
          <stop offset="0" stopOpacity="0.5" className="[stop-color:var(--color-accent)]" />
          <stop offset="1" stopOpacity="0" className="[stop-color:var(--color-accent)]" />
        </radialGradient>
        <linearGradient id="lounge-rock" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopOpacity="0.62" className="[stop-color:var(--color-island)]" />
          <stop offset="1" stopOpacity="0.12" className="[stop-color:var(--color-island)]" />
        </linearGradient>
        <linearGradient id="lounge-edge">
          <stop offset="0" className="[stop-color:var(--color-panel)]" />
          <stop offset="1" stopOpacity="0" className="[stop-color:var(--color-panel)]" />
        </linearGradient>
      </defs>
      <rect x="-60" width="680" height="420" fill="url(#lounge-night)" />
      {/* Beside the text, the night fades out. */}
      <rect x="-60" width="160" height="420" fill="url(#lounge-edge)" className="hidden lg:block" />
      {stars.map(({ x, y, radius }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} className="fill-ink/70" />
      ))}
      <Moon />
      <FarIsland />
      <Rock />
      <Grounds />
      <House />
      <Lights />
    </svg>
  )
}

function Moon() {
  return (
    <g>
      <circle cx="452" cy="98" r="62" className="fill-ink/4" />
      <circle cx="452" cy="98" r="44" className="fill-ink/6" />
      <circle cx="452" cy="98" r="28" className="fill-ink" />
      <circle cx="444" cy="90" r="5" className="fill-muted/40" />
      <circle cx="461" cy="104" r="7" className="fill-muted/35" />
      <circle cx="456" cy="84" r="2.5" className="fill-muted/40" />
    </g>
  )
}

function FarIsland() {
  return (
    <g transform="translate(-44 -34)">
      <path d="M84 232 98 252l12 5 10 15 12-17 12-5 14-18Z" className="fill-island/25" />
      <ellipse cx="121" cy="232" rx="37" ry="6" className="fill-island/45" />
      <path d="m112 230 6-17 6 17Zm11 0 5-12 5 12Z" className="fill-island/50" />
      <path
        d="M160 234c14 16 20 26 22 34"
        strokeDasharray="2 6"
        strokeLinecap="round"
        className="stroke-ink/35"
      />
    </g>
  )
}

function Rock() {
  const outline =
    'M134 244c12 22 26 26 42 36l22 12 26 40 30 12 36 40 34-32 32-12 30-40 44-20c22-12 32-22 36-36Z'
  return (
    <g>
      {/* Keeps the background from showing through the rock. */}
      <path d={outline} className="fill-ground" />
      <path d={outline} fill="url(#lounge-rock)" />
      <path d="m198 292 26 40 30 12-10-60Z" className="fill-ground/40" />
      <path d="m290 384 34-32-6-80-34 58Z" className="fill-ground/45" />
      <path d="m356 340 30-40 44-20-52 4Z" className="fill-ground/35" />
      <path d="m244 284 10 60 30 4 34-58Z" className="fill-ink/4" />
    </g>
  )
}

function Grounds() {
  return (
    <g>
      <ellipse cx="300" cy="244" rx="166" ry="30" className="fill-raised" />
      <ellipse cx="300" cy="244" rx="166" ry="30" className="fill-island/45" />
      <ellipse cx="300" cy="240" rx="158" ry="25" className="fill-hover/70" />
      <ellipse cx="300" cy="248" rx="96" ry="18" fill="url(#lounge-glow)" />
      <path d="M170 240l12-44 12 44Zm-12 2 9-30 9 30Z" className="fill-panel" />
      <path d="M412 240l13-50 13 50Zm22 3 9-32 9 32Z" className="fill-panel" />
      <g className="fill-ink/85">
        <circle cx="246" cy="238" r="3.4" />
        <path d="M241.5 254c0-7 1.5-11 4.5-11s4.5 4 4.5 11Z" />
        <circle cx="258" cy="240" r="3.2" />
        <path d="M253.5 255c0-7 1.5-10.5 4.5-10.5s4.5 3.5 4.5 10.5Z" />
        <circle cx="362" cy="239" r="3.4" />
        <path d="M357.5 255c0-7 1.5-11 4.5-11s4.5 4 4.5 11Z" />
      </g>
    </g>
  )
}

function House() {
  return (
    <g>
      <rect x="330" y="136" width="11" height="26" className="fill-raised" />
      <rect x="254" y="172" width="92" height="66" className="fill-raised stroke-line-strong" />
      <path d="m240 174 60-46 60 46Z" className="fill-hover stroke-line-strong" />
      <path d="m240 174 60-46 60 46" strokeWidth="2" className="stroke-island" />
      <circle cx="300" cy="156" r="6" className="fill-accent" />
      <rect x="266" y="186" width="20" height="20" rx="2" className="fill-accent" />
      <path d="M276 186v20m-10-10h20" className="stroke-raised" />
      <rect x="316" y="186" width="20" height="20" rx="2" className="fill-accent" />
      <path d="M326 186v20m-10-10h20" className="stroke-raised" />
      <path d="M291 238v-26a9 9 0 0 1 18 0v26Z" className="fill-accent-strong" />
      <circle cx="300" cy="200" r="78" fill="url(#lounge-glow)" opacity="0.55" />
    </g>
  )
}

function Lights() {
  return (
    <g>
      <path
        d="M184 246v-66m232 66v-66"
        strokeWidth="2"
        strokeLinecap="round"
        className="stroke-muted"
      />
      <path d="M184 180q32 22 64-4m104 0q32 26 64 4" className="stroke-muted/70" />
      {bulbs.map(({ x, y }) => (
        <g key={x}>
          <circle cx={x} cy={y + 2} r="6" fill="url(#lounge-glow)" />
          <circle cx={x} cy={y + 2} r="2.2" className="fill-accent-strong" />
        </g>
      ))}
    </g>
  )
}
