import { gridLines } from './grid-lines.ts'
import { landDots } from './land-dots.ts'

/** The globe: land as dots, the Observatory's regions as a grid, and daylight on one side. */
export function Planet() {
  return (
    <svg viewBox="0 0 500 500" className="scene-planet">
      <defs>
        <radialGradient id="planet-sea" cx="0.3" cy="0.22" r="0.9">
          <stop offset="0" stopColor="#1c5a80" />
          <stop offset="0.4" stopColor="#0c2a4a" />
          <stop offset="1" stopColor="#060b1a" />
        </radialGradient>
        <radialGradient id="planet-air">
          <stop offset="0.8" stopColor="#22d3ee" stopOpacity="0.42" />
          <stop offset="0.84" stopColor="#22d3ee" stopOpacity="0.22" />
          <stop offset="0.9" stopColor="#22d3ee" stopOpacity="0.08" />
          <stop offset="1" stopColor="#22d3ee" stopOpacity="0" />
        </radialGradient>
        <radialGradient id="planet-night" cx="0.26" cy="0.2" r="0.95">
          <stop offset="0.4" stopColor="#05070f" stopOpacity="0" />
          <stop offset="0.92" stopColor="#05070f" stopOpacity="0.92" />
        </radialGradient>
        <linearGradient id="planet-rim" x1="0.1" y1="0.05" x2="0.7" y2="0.75">
          <stop offset="0" stopColor="#cffafe" />
          <stop offset="0.4" stopColor="#22d3ee" stopOpacity="0.55" />
          <stop offset="0.85" stopColor="#22d3ee" stopOpacity="0.06" />
        </linearGradient>
      </defs>
      {/* Off-centre, so that the air is bright on the day side and absent on the night side. */}
      <circle cx="234" cy="232" r="282" fill="url(#planet-air)" />
      <circle cx="250" cy="250" r="240" fill="url(#planet-sea)" />
      <path className="planet-grid" d={gridLines} />
      <path className="planet-dots" d={landDots} />
      <circle cx="250" cy="250" r="240" fill="url(#planet-night)" />
      <circle cx="250" cy="250" r="239" fill="none" strokeWidth="2.5" stroke="url(#planet-rim)" />
    </svg>
  )
}
