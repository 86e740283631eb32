import { landDots } from './land-dots.ts'

/** The globe: 30-degree cells as in the Observatory, land in dots, day on one side. */
export function Planet() {
  return (
    <svg viewBox="0 0 500 500" className="scene-planet">
      <defs>
        <radialGradient id="planet-sea" cx="0.32" cy="0.24" r="0.9">
          <stop offset="0" stopColor="#17486b" />
          <stop offset="0.45" stopColor="#0b2340" />
          <stop offset="1" stopColor="#060b1a" />
        </radialGradient>
        <radialGradient id="planet-air" cx="0.5" cy="0.5" r="0.5">
          <stop offset="0.84" stopColor="#22d3ee" stopOpacity="0.5" />
          <stop offset="1" stopColor="#22d3ee" stopOpacity="0" />
        </radialGradient>
        <radialGradient id="planet-night" cx="0.26" cy="0.2" r="0.95">
          <stop offset="0.45" stopColor="#05070f" stopOpacity="0" />
          <stop offset="0.95" stopColor="#05070f" stopOpacity="0.9" />
        </radialGradient>
        <linearGradient id="planet-rim" x1="0.1" y1="0.05" x2="0.7" y2="0.75">
          <stop offset="0" stopColor="#a5f3fc" />
          <stop offset="0.4" stopColor="#22d3ee" stopOpacity="0.5" />
          <stop offset="0.8" stopColor="#22d3ee" stopOpacity="0" />
        </linearGradient>
      </defs>
      <circle cx="246" cy="246" r="284" fill="url(#planet-air)" />
      <circle cx="250" cy="250" r="240" fill="url(#planet-sea)" />
      <path className="planet-dots" d={landDots} />
      <circle cx="250" cy="250" r="240" fill="url(#planet-night)" />
      <circle cx="250" cy="250" r="239" fill="none" strokeWidth="2.5" stroke="url(#planet-rim)" />
    </svg>
  )
}
